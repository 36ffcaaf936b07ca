#!/usr/bin/python3
"""What strangers cost a host that shares, and who watches it: attacks on `heliograph share`, with a viewer watching.

    strangers.py PROGRAM... [--attacks quiet,connections,junk,flood] [--seconds 60] [--rounds 1] [--json]

Each PROGRAM is a `heliograph`: of before and of after, say. They are attacked in turn, in one run, so that a slow minute
of the machine hits all alike. The host shares an X server on which a picture moves 60 times a second; the viewer shows
it on another. Nobody who attacks has a link.

quiet        nothing: what the others are to be compared with.
connections  64 TLS connections that ask on and on (OPTIONS) and read nothing, and come again when they are closed.
junk         20,000 datagrams a second from 4,000 ports to the port for media: what one costs the host is the time of a
             core that it takes more than when it was quiet, a million of them apart. The kernel's part is told too.
control      the same, 20,000 a second to the port for input.
flood        76,000 a second to the port for media.

Of each: the viewer's pictures a second (median, least), the host's memory before, at most and after, and its time of a
core. Wants Xvfb and FFmpeg, as the tests do.
"""

import argparse
import json
import os
import re
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SIZE = (1280, 720)
# Of the part that moves.
MOVING = (640, 360)
RATE = 60
CONNECTIONS = 64
PORTS = 4000
JUNK = 20_000
FLOOD = 76_000
# Seconds.
PATIENCE = 30
REST = 3
TICK = os.sysconf("SC_CLK_TCK")


class Screen:
    """An X server of its own, ended with what it shows."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "%dx%dx24" % SIZE, "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as display:
            self.display = ":" + display.readline().strip()

    def end(self):
        end(self.server)


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Share:
    """A host, what moves on its screen, and a viewer that tells its pictures a second."""

    def __init__(self, program):
        self.home = tempfile.TemporaryDirectory()
        self.source, self.destination = Screen(), Screen()
        self.scene = subprocess.Popen(
            ["ffmpeg", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=%dx%d:rate=%d" % (*MOVING, RATE), "-f",
             "sdl2", "-"],
            env={"PATH": os.environ["PATH"], "DISPLAY": self.source.display, "SDL_VIDEODRIVER": "x11"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        link = Path(self.home.name) / "link"
        own = {"PATH": os.environ["PATH"], "HOME": self.home.name, "XDG_CONFIG_HOME": self.home.name}
        self.port = free_port()
        self.host = subprocess.Popen(
            [program, "share", "--display", self.source.display, "--address", "127.0.0.1", "--port", str(self.port),
             "--fps", str(RATE), "--no-discovery", "--web", "off", "--link-file", link],
            env=own, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: link.exists() and link.stat().st_size > 0, "a link")
        self.viewer = subprocess.Popen(
            [program, "view", "--link-file", link, "--stats"], text=True,
            env=own | {"DISPLAY": self.destination.display, "SDL_VIDEODRIVER": "x11"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.rates = []
        threading.Thread(target=self.listen, daemon=True).start()
        until(lambda: len(self.rates) > 2 and self.rates[-1] > RATE - 10, "a picture that moves")

    def listen(self):
        for line in self.viewer.stdout:
            if line.startswith("{"):
                self.rates.append(json.loads(line)["framesPerSecond"])

    def memory(self):
        """KiB resident; None once the host has ended."""
        try:
            return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/%d/status" % self.host.pid).read_text())[1])
        except (OSError, TypeError):
            return None

    def time(self):
        """Seconds of a core: its own, and the kernel's for it."""
        fields = Path("/proc/%d/stat" % self.host.pid).read_text().rpartition(")")[2].split()
        return int(fields[11]) / TICK, int(fields[12]) / TICK

    def end(self):
        for process in (self.viewer, self.host, self.scene):
            end(process)
        self.source.end()
        self.destination.end()
        self.home.cleanup()


def free_port():
    """One that is free with the two behind it, for UDP too."""
    while True:
        with socket.socket() as a, socket.socket(type=socket.SOCK_DGRAM) as b:
            a.bind(("127.0.0.1", 0))
            try:
                b.bind(a.getsockname())
                return a.getsockname()[1]
            except OSError:
                continue


def until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit("strangers.py: there was never " + what)
        time.sleep(0.05)


class Connections:
    """Threads that ask and read nothing."""

    QUESTIONS = b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n" * 700

    def __init__(self, port):
        self.port, self.is_over = port, False
        self.count = self.opened = 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        self.threads = [threading.Thread(target=self.ask, args=(number,)) for number in range(CONNECTIONS)]
        for thread in self.threads:
            thread.start()

    def ask(self, number):
        while not self.is_over:
            try:
                with socket.socket() as raw:
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    # As many machines as may come at once from one each.
                    raw.bind(("127.0.1.%d" % (1 + number), 0))
                    raw.settimeout(2)
                    raw.connect(("127.0.0.1", self.port))
                    with self.context.wrap_socket(raw) as connection:
                        self.opened += 1
                        while not self.is_over:
                            self.count += connection.send(self.QUESTIONS)
            except OSError:
                time.sleep(0.05)

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()
        return {"connections": self.opened, "megabytes sent": round(self.count / 1e6, 1)}


class Datagrams:
    """A process that sends them: this one's threads would wait for each other."""

    SENDER = """
import os, socket, sys, time
port, rate, count = map(int, sys.argv[1:])
sockets = []
for number in range(count):
    made = socket.socket(type=socket.SOCK_DGRAM)
    made.connect(("127.0.0.1", port))
    sockets.append(made)
# What looks like RTP of a stream that nobody sends, like RTCP, and like nothing.
kinds = [bytes([0x80, 0x60]) + os.urandom(98), bytes([0x80, 0xC9, 0, 7]) + os.urandom(96), os.urandom(100)]
sent, began = 0, time.monotonic()
try:
    while True:
        due = int((time.monotonic() - began) * rate)
        if due - sent > rate // 10:
            began += (due - sent) / rate
            continue
        while sent < due:
            try:
                sockets[sent % count].send(kinds[sent % 3])
            except OSError:
                pass
            sent += 1
        time.sleep(0.001)
except KeyboardInterrupt:
    print(sent)
"""

    def __init__(self, port, rate):
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (PORTS + 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.SENDER, str(port), str(rate), str(PORTS)], stdout=subprocess.PIPE, text=True)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return {"datagrams": int(self.process.communicate()[0])}


ATTACKS = {
    "quiet": None,
    "connections": lambda share: Connections(share.port),
    "junk": lambda share: Datagrams(share.port, JUNK),
    "control": lambda share: Datagrams(share.port + 1, JUNK),
    "flood": lambda share: Datagrams(share.port, FLOOD),
}


def attack(program, name, seconds):
    share = Share(program)
    try:
        time.sleep(REST)
        before = share.memory()
        begin, times, first = time.monotonic(), share.time(), len(share.rates)
        attacker = ATTACKS[name] and ATTACKS[name](share)
        most = before
        while time.monotonic() < begin + seconds and share.host.poll() is None:
            most = max(most, share.memory() or 0)
            time.sleep(0.1)
        own, kernel = (b - a for a, b in zip(times, share.time())) if share.host.poll() is None else (0, 0)
        took = time.monotonic() - begin
        # The first second is half of before.
        rates = share.rates[first + 1:]
        done = attacker.end() if attacker else {}
        time.sleep(REST)
        return {
            "attack": name, "seconds": round(took, 1), **done, "host": "lives" if share.host.poll() is None else "ended",
            "median fps": statistics.median(rates), "least fps": min(rates), "MiB before": before // 1024,
            "MiB most": most // 1024, "MiB after": (share.memory() or 0) // 1024,
            "cores own": round(own / took, 3), "cores kernel": round(kernel / took, 3),
        }
    finally:
        share.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--attacks", default=",".join(ATTACKS), help="some of: " + ", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = options.attacks.split(",")
    if unknown := set(names) - set(ATTACKS):
        parser.error("there is no attack '%s': there are %s" % (min(unknown), ", ".join(ATTACKS)))
    quiet = {}
    for _ in range(options.rounds):
        for name in names:
            for program in options.programs:
                result = {"program": program, **attack(program, name, options.seconds)}
                time_of = {part: result["cores " + part] * result["seconds"] for part in ("own", "kernel")}
                if name == "quiet":
                    quiet[program] = time_of
                elif "datagrams" in result and program in quiet:
                    for part, took in time_of.items():
                        each = (took - quiet[program][part]) / result["datagrams"] * 1e6
                        result["us a datagram, " + part] = round(each, 2)
                print(json.dumps(result) if options.json else "  ".join("%s: %s" % each for each in result.items()),
                      flush=True)


main()
