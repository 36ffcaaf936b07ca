#!/usr/bin/env python3
"""The memory of a broadcast extension: `helio-extension` at 60 pictures a second of 1668x2388, scaled, coded and relayed
to an app that is none of ours, and turned every few seconds (rows 81, 84, 161 and 162).

    memory.py PROGRAM [--seconds N] [--turn-every N] [--budget MB] [--limit MB] [--skip-unscaled]

PROGRAM   helio-extension, built with -c release

The app speaks the relay's protocol (docs/relay.md), counts what comes, asks for keyframes, and wishes now and then for a
lower bitrate and a smaller picture. The program runs under RLIMIT_DATA, what it may map privately to write, of --limit MB:
what asks for more dies. What it tells of its private memory is looked at from outside, too. Then for a moment the unscaled
path, which has to break the budget, and to die under the limit.

Ends with status 1 where anything is not as it has to be.
"""
import argparse
import os
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

MB = 1 << 20


def message(kind, payload=b""):
    return b"&" + struct.pack(">I", 1 + len(payload)) + bytes([kind]) + payload


def wish(bitrate, width, height):
    return message(11, struct.pack(">IHH", bitrate, width, height))


class App:
    """The app's end: an extension, whose messages are counted by kind. It may be lost where this machine is so busy that
    signs of life come late, and then comes again."""

    def __init__(self, path):
        os.mkdir(os.path.dirname(path), 0o700)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.listener.settimeout(20)
        self.counts = {}
        self.connections = 0
        self.error = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while True:
                connection, _ = self.listener.accept()
                self.listener.settimeout(3)
                connection.settimeout(0.2)
                self.connections += 1
                with connection:
                    try:
                        self.talk(connection)
                    except (ConnectionResetError, BrokenPipeError):
                        pass
        except TimeoutError:  # the extension has ended, or never came
            pass
        except Exception as error:  # told at the end
            self.error = repr(error)

    def talk(self, connection):
        buffer = bytearray()
        connection.sendall(message(10, b"\x02"))
        rounds, spoken = 0, time.monotonic()
        while True:
            if time.monotonic() - spoken >= 0.25:
                spoken = time.monotonic()
                rounds += 1
                connection.sendall(message(9))
                if rounds % 20 == 0:
                    connection.sendall(message(8))
                if rounds % 60 == 30:
                    connection.sendall(wish(1_500_000, 640, 360))
                if rounds % 60 == 0:
                    connection.sendall(wish(0, 0, 0))
            try:
                piece = connection.recv(1 << 16)
            except socket.timeout:
                continue
            if not piece:
                return
            buffer += piece
            while len(buffer) >= 5:
                prefix, size = buffer[0], struct.unpack(">I", buffer[1:5])[0]
                if prefix != 0x26 or not 0 < size <= 4 * MB:
                    raise ValueError("what came is no message")
                if len(buffer) < 5 + size:
                    break
                kind = buffer[5]
                self.counts[kind] = self.counts.get(kind, 0) + 1
                del buffer[: 5 + size]


def private_memory(pid):
    """In kB: all that it would give back if it ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
    except (OSError, IndexError):
        return 0


def most_resident(pid):
    """In kB, up to now, with what it shares with other processes."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def run(program, arguments, limit):
    """Runs it; its end, what it said last, its private memory at most as seen from outside, and what an app got."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/relay/socket"
        app = App(path)
        process = subprocess.Popen(
            [program, "--socket", path] + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            preexec_fn=lambda: limit and resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
        reader.start()
        seconds = float(arguments[arguments.index("--seconds") + 1])
        end = time.monotonic() + seconds * 4 + 60
        seen, course = 0, []
        app.resident = 0
        while process.poll() is None and time.monotonic() < end:
            now = private_memory(process.pid)
            seen = max(seen, now)
            course.append(now)
            app.resident = max(app.resident, most_resident(process.pid))
            time.sleep(0.2)
        if process.poll() is None:
            process.kill()
        reader.join(5)
        times = resource.getrusage(resource.RUSAGE_CHILDREN)
        summary = next((line.strip() for line in reversed(lines) if line.startswith("pictures ")), "")
        app.thread.join(5)
        tenth = max(1, len(course) // 10)
        app.course = [max(course[i * tenth : (i + 1) * tenth] or [0]) for i in range(10)]
        return process.wait(), summary, seen, app, times.ru_utime + times.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--turn-every", type=int, default=5)
    parser.add_argument("--budget", type=int, default=40)
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--skip-unscaled", action="store_true")
    options = parser.parse_args()
    faults = []

    arguments = ["--seconds", str(options.seconds), "--turn-every", str(options.turn_every), "--tone"]
    code, summary, seen, app, cpu = run(
        options.program, arguments + ["--budget", str(options.budget)], options.limit * MB)
    pictures = app.counts.get(4, 0)
    print(f"scaled, limit {options.limit} MB: {summary or 'no end'}; seen from outside {seen} kB, "
          f"resident in all {app.resident} kB; the app got "
          f"{pictures} pictures, {app.counts.get(2, 0)} formats, {app.counts.get(5, 0)} packets of sound by {app.connections} connections; "
          f"{100 * cpu / options.seconds:.0f} % of a core", flush=True)
    print(f"in each tenth of the time, kB at most: {' '.join(map(str, app.course))}", flush=True)
    if code != 0:
        faults.append(f"it ended with {code}: over {options.budget} MB, or killed by the limit")
    if not 0 < seen <= options.budget * 1024:
        faults.append(f"{seen} kB of private memory were seen")
    if app.error or pictures < options.seconds * 30:
        faults.append(f"the app got {pictures} pictures; {app.error or 'too few'}")

    if not options.skip_unscaled:
        arguments = ["--seconds", "5", "--turn-every", "2", "--unscaled"]
        code, summary, seen, _, _ = run(options.program, arguments, 0)
        print(f"unscaled, no limit: {summary or 'no end'}", flush=True)
        if code != 2:
            faults.append(f"unscaled it kept to the budget, or failed otherwise: {code}")
        code, summary, _, _, _ = run(options.program, arguments, options.limit * MB)
        print(f"unscaled, limit {options.limit} MB: ended with {code}", flush=True)
        if code in (0, 2):
            faults.append("unscaled it lived under the limit")

    for fault in faults:
        print(f"memory.py: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
