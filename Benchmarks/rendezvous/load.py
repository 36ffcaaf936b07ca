#!/usr/bin/python3
"""What devices cost a rendezvous server: N idle ones, rings and messages among them, and their return after a restart.

    load.py PROGRAM [--devices 2000] [--tls] [--idle 50] [--rate 100] [--rings 2000] [--json]

PROGRAM is a `heliograph`, built with -c release; the server is `heliograph rendezvous` on loopback, with a store. Each
device has an Ed25519 key and, unless --per-address says otherwise, an address of its own in 127.16.0.0/12: so the
server's limits on an address are as they are, and no address runs out of its 28,000 ports. What is measured, in order:

registration  all devices connect, register and publish a permit: devices a second, time of a core for each. The limit
              of the server on newcomers, --newcomers, is set high for this.
idle          a while with pings alone, one in 25 s from each device, as it does: the server's memory and time of a core
              for each device.
rings         --rate rings a second of random devices by ringers, each a call with 4 messages of 1500 bytes each way, as
              a session's beginning has: time from ring to `rung` at the device, and to the call's end, p50 and p95.
most rings    the same calls as fast as they go, 64 at once.
messages      50 calls with 100 messages of 200 bytes each way, 8 under way in each.
return        the server is killed and started again: time until half, 99 in 100 and all devices are back, each of which
              waits as a device does, 0.25 s at first, then twice as long each time. --newcomers limits it.

Memory and time of a core are the server's, by /proc. Files are what limits: server and devices need one for each
device; the hard limit (`ulimit -Hn`) is taken by itself. Devices are shared out among as many processes as they need.
"""

import argparse
import json
import math
import multiprocessing
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import devices

TICK = os.sysconf("SC_CLK_TCK")
SPARE = 200  # files of a process beside its devices
SHARE = 25_000  # devices of a process
RINGS_OF_ADDRESS = 50  # of the 60 that a ringer's address may make at once
PORT = 18_443


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="heliograph")
    parser.add_argument("--devices", type=int, default=2000)
    parser.add_argument("--tls", action="store_true", help="the server has TLS; else plain HTTP")
    parser.add_argument("--per-address", type=int, default=1, help="devices of one address, at most 500 (1)")
    parser.add_argument("--at-once", type=int, default=200, help="devices that connect at once, first time (200)")
    parser.add_argument("--newcomers", type=int, default=100_000, help="the server's limit a second (100000)")
    parser.add_argument("--idle", type=float, default=50, help="seconds of silence (50: two pings of each device)")
    parser.add_argument("--rate", type=float, default=100, help="rings a second (100)")
    parser.add_argument("--rings", type=int, default=2000, help="rings of each kind (2000)")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--no-restart", action="store_true")
    parser.add_argument("--json", action="store_true", help="print the figures as an object")
    return parser.parse_args()


def raise_limit(count):
    """Takes as many files as are allowed; ends with what to do if these are too few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if count + SPARE > hard:
        sys.exit("The server needs %d open files, and this shell may have %d: give --devices %d, or start a shell with "
                 "more, as root: prlimit --nofile=%d bash" % (count + SPARE, hard, hard - 2 * SPARE, count + 2 * SPARE))
    return hard


class Server:
    """A `heliograph rendezvous` with a store in a folder of its own."""

    def __init__(self, options, ringers):
        self.options, self.folder = options, tempfile.TemporaryDirectory()
        path = Path(self.folder.name)
        most = options.devices + ringers + 100
        self.command = [options.program, "rendezvous", "--listen", "127.0.0.1", "--port", str(options.port),
                        "--store", str(path / "store.sqlite"), "--name", "127.0.0.1", "--devices", str(most),
                        "--newcomers", str(options.newcomers)]
        if options.tls:
            key, certificate = str(path / "key.pem"), str(path / "certificate.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                           check=True, stderr=subprocess.DEVNULL)
            os.chmod(key, 0o600)
            self.command += ["--certificate", certificate, "--key", key]
        self.start()

    def start(self):
        self.log = open(Path(self.folder.name) / "log", "a+")
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)
        limit = time.monotonic() + 20
        # Its first line says that it listens.
        while b"Rendezvous server" not in Path(self.log.name).read_bytes():
            if self.process.poll() is not None or time.monotonic() > limit:
                sys.exit("The server does not start:\n" + Path(self.log.name).read_text())
            time.sleep(0.01)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.truncate(self.log.name, 0)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def cpu(self):
        """Seconds of a core."""
        fields = Path("/proc/%d/stat" % self.process.pid).read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    @property
    def memory(self):
        """Resident bytes."""
        return int(Path("/proc/%d/statm" % self.process.pid).read_text().split()[1]) * resource.getpagesize()


class Crowd:
    """The processes with the devices."""

    def __init__(self, options, ringers, limit):
        count = max(1, math.ceil((options.devices + ringers) / min(SHARE, limit - SPARE)))
        settings = {"port": options.port, "tls": options.tls, "per_address": options.per_address,
                    "at_once": math.ceil(options.at_once / count)}
        self.count, self.devices, self.ringers = count, options.devices, ringers
        self.pipes, self.processes, self.told = [], [], {}
        for _ in range(count):
            mine, theirs = multiprocessing.Pipe()
            process = multiprocessing.Process(target=devices.run, args=(theirs, settings), daemon=True)
            process.start()
            theirs.close()
            self.pipes.append(mine)
            self.processes.append(process)

    def order(self, *order):
        for pipe in self.pipes:
            pipe.send(order)

    def share(self, name, first, count):
        for index, pipe in enumerate(self.pipes):
            pipe.send((name, range(first + index, first + count, self.count)))

    def listen(self, title, until, limit):
        """Shows how it goes until `until(sums)` is true, or ends after `limit` seconds; returns the sums."""
        began = time.monotonic()
        while True:
            for pipe in multiprocessing.connection.wait(self.pipes, 0.05):
                try:
                    told = pipe.recv()
                except (EOFError, ConnectionResetError):
                    sys.exit("\n%s: a process of devices has ended: its last words are above." % title)
                if told[0] == "now":
                    self.told[pipe] = told[1:]
                else:
                    self.results.append(told[1:])
            sums = [sum(told[index] for told in self.told.values()) for index in range(4)]
            passed = time.monotonic() - began
            show("%s: %d devices, %d ringers, %d pings, %d calls, %.1f s" % (title, *sums, passed))
            if until(sums):
                return sums
            if passed > limit:
                sys.exit("\n%s: not done after %d s. Of the devices: %s" % (title, limit, self.problems))

    def script(self, title, rate, calls, at_once, exchanges, size, window):
        """Lets the ringers call, and waits for all; returns what each process says."""
        self.results = []
        share = lambda number: math.ceil(number / self.count)
        self.order("script", rate / self.count, share(calls), share(at_once), exchanges, size, window)
        limit = 120 + (calls / rate if rate else calls / 20)
        self.listen(title, lambda _: len(self.results) == self.count, limit)
        return self.results

    @property
    def problems(self):
        all = {}
        for told in self.told.values():
            for reason, count in told[4].items():
                all[reason] = all.get(reason, 0) + count
        return all

    def end(self):
        try:
            self.order("end")
        except BrokenPipeError:
            pass
        for process in self.processes:
            process.join(5)
            if process.is_alive():
                process.kill()


def show(line):
    """Shows how it goes: in a terminal's last row, elsewhere once for each title."""
    title = line.partition(":")[0]
    if sys.stderr.isatty():
        print("\r\x1b[K" + line, end="", file=sys.stderr, flush=True)
    elif title and title != show.title:
        show.title = title
        print(title, file=sys.stderr)


show.title = None


def kernel_memory():
    """Bytes of the kernel's own objects, those of sockets among them; 0 if it does not say."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Slab:"))


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else math.nan


def calls(crowd, server, title, *script):
    """Runs a script of calls; returns its figures."""
    cpu, began = server.cpu, time.monotonic()
    results = crowd.script(title, *script)
    passed, cpu = time.monotonic() - began, server.cpu - cpu
    rings = [time for result in results for time in result[0]]
    whole = [time for result in results for time in result[1]]
    failed = {}
    for result in results:
        for reason, count in result[3].items():
            failed[reason] = failed.get(reason, 0) + count
    messages = sum(result[2] for result in results)
    return {"calls": len(whole), "failed": failed, "calls_per_s": len(whole) / passed, "core": cpu / passed,
            "core_us_per_call": cpu / max(1, len(whole)) * 1e6,
            "rung_ms_p50": percentile(rings, 0.5) * 1e3, "rung_ms_p95": percentile(rings, 0.95) * 1e3,
            "call_ms_p50": percentile(whole, 0.5) * 1e3, "call_ms_p95": percentile(whole, 0.95) * 1e3,
            "messages_per_s": messages / passed, "core_us_per_message": cpu / max(1, messages) * 1e6}


def measure(options):
    ringers = max(20, math.ceil(2 * options.rings / RINGS_OF_ADDRESS)) + 50
    limit = raise_limit(options.devices + ringers)
    server = Server(options, ringers)
    crowd = Crowd(options, ringers, limit)
    found = {"devices": options.devices, "tls": options.tls}
    all, patience = options.devices, 120 + options.devices / 50
    try:
        # What is allocated once is no device's.
        crowd.share("ringers", 4_000_000 // max(1, options.per_address) * options.per_address, ringers)
        crowd.listen("ringers", lambda sums: sums[1] == ringers, 60)
        time.sleep(1)
        memory, kernel, cpu, began = server.memory, kernel_memory(), server.cpu, time.monotonic()
        crowd.share("devices", 0, options.devices)
        crowd.listen("registration", lambda sums: sums[0] == all, patience)
        passed, cpu = time.monotonic() - began, server.cpu - cpu
        found["registration"] = {"per_s": all / passed, "core": cpu / passed, "core_us": cpu / all * 1e6}

        time.sleep(2)
        cpu, began = server.cpu, time.monotonic()
        pings = crowd.listen("idle", lambda _: True, 1)[2]
        end = began + options.idle
        pings = crowd.listen("idle", lambda _: time.monotonic() >= end, options.idle + 10)[2] - pings
        passed, cpu = time.monotonic() - began, server.cpu - cpu
        grown = server.memory - memory
        # Both ends are on this machine.
        kernel = (kernel_memory() - kernel) / 2
        found["idle"] = {"bytes_per_device": grown / all, "kernel_bytes_per_device": kernel / all,
                         "server_mb": server.memory / 1e6, "core": cpu / passed, "pings_per_s": pings / passed,
                         "core_us_per_device_s": cpu / passed / all * 1e6}

        found["rings"] = calls(crowd, server, "rings", options.rate, options.rings, 1e6, 4, 1500, 4)
        found["most rings"] = calls(crowd, server, "most rings", 0, options.rings, 64, 4, 1500, 4)
        found["messages"] = calls(crowd, server, "messages", 0, 50, 50, 100, 200, 8)
        if not options.no_restart:
            found["return"] = come_back(crowd, server, all, patience)
        found["problems"] = crowd.problems
    finally:
        server.end()
        crowd.end()
    return found


def come_back(crowd, server, all, patience):
    crowd.order("herd")
    server.kill()
    crowd.listen("killed", lambda sums: sums[0] < all / 2, 30)
    server.start()
    began, found = time.monotonic(), {}
    for name, share in (("half_s", 0.5), ("most_s", 0.99), ("all_s", 1)):
        crowd.listen("return", lambda sums: sums[0] >= all * share, patience)
        found[name] = time.monotonic() - began
    found["core_s"] = server.cpu
    return found


def main():
    options = arguments()
    found = measure(options)
    show("")
    if options.json:
        return print(json.dumps(found))
    idle, back = found["idle"], found.get("return")
    print("| %d devices by %s | |\n| --- | --- |" % (options.devices, "TLS" if options.tls else "plain HTTP"))
    print("| memory of an idle device | %.1f kB, and %.1f kB of the kernel's |"
          % (idle["bytes_per_device"] / 1e3, idle["kernel_bytes_per_device"] / 1e3))
    print("| time of a core for all idle devices | %.1f %%, %.0f pings a second |" % (idle["core"] * 100, idle["pings_per_s"]))
    print("| registrations | %.0f a second by %.0f %% of a core, %.0f µs each |"
          % (found["registration"]["per_s"], found["registration"]["core"] * 100, found["registration"]["core_us"]))
    for name in ("rings", "most rings"):
        ring = found[name]
        print("| %s | %.0f a second by %.0f %% of a core, %.0f µs each; to `rung` p50 %.1f, p95 %.1f ms; whole call "
              "%.1f, %.1f ms |" % (name, ring["calls_per_s"], ring["core"] * 100, ring["core_us_per_call"],
                                   ring["rung_ms_p50"], ring["rung_ms_p95"], ring["call_ms_p50"], ring["call_ms_p95"]))
        if ring["failed"]:
            print("| failed | %s |" % ring["failed"])
    messages = found["messages"]
    print("| messages | %.0f a second by %.0f %% of a core, %.0f µs each |"
          % (messages["messages_per_s"], messages["core"] * 100, messages["core_us_per_message"]))
    if back:
        print("| back after a restart | half %.1f s, 99 in 100 %.1f s, all %.1f s; %.1f s of a core |"
              % (back["half_s"], back["most_s"], back["all_s"], back["core_s"]))
    if found["problems"]:
        print("| lost and refused connections | %s |" % found["problems"])


if __name__ == "__main__":
    main()
