"""Running commands: each with a log, a limit in seconds, and an end that leaves nothing behind."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The build of the checks: apart from that of `swift build`, as it is compiled otherwise.
BUILD = ROOT / ".build" / "checks"
# Logs and events of the last run.
LOGS = ROOT / ".build" / "check-logs"
# Each command has a name of its own in its environment, which all that it starts inherits: so they are found at the end,
# whatever session they are in and whoever has adopted them.
MARK = "HELIO_CHECK"

_printing = threading.Lock()
_began = time.monotonic()


class Failed(Exception):
    """A check that did not pass; the text says what was wrong and what to do."""


class Stopped(Exception):
    """Another check has failed, so this one was ended."""


# Set once the run is to end: every command that goes on is ended then.
stop = threading.Event()


def now():
    """Seconds since this run began."""
    return time.monotonic() - _began


def say(text):
    """Prints a line for people, with the seconds since the run began."""
    with _printing:
        print(f"{now():6.0f} s  {text}", file=sys.stderr, flush=True)


def show(text):
    """Prints lines as they are: the end of a log, a table."""
    with _printing:
        print(text, file=sys.stderr, flush=True)


def marked(mark):
    """The processes whose environment has this mark, and their descendants."""
    wanted = f"{MARK}={mark}".encode()
    parents, found = {}, set()
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            environment = Path("/proc", entry, "environ").read_bytes()
            status = Path("/proc", entry, "stat").read_text()
        except (OSError, ValueError):
            continue  # it has just ended
        state, parent = status.rsplit(")", 1)[1].split()[:2]
        if state == "Z":
            continue
        parents[int(entry)] = int(parent)
        if wanted in environment.split(b"\0"):
            found.add(int(entry))
    grew = True
    while grew:
        grew = False
        for process, parent in parents.items():
            if parent in found and process not in found:
                found.add(process)
                grew = True
    return found


def end(mark, patience=3.0):
    """Ends all that a command has started: asks first, and after `patience` seconds doesn't ask."""
    left = marked(mark)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in left:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass
        deadline = time.monotonic() + patience
        while left and time.monotonic() < deadline:
            time.sleep(0.02)
            left = marked(mark)


def names_of(processes):
    """What processes are called, for a report."""
    names = []
    for process in sorted(processes):
        try:
            names.append(Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:80])
        except OSError:
            pass
    return names


def surroundings(changes):
    """This process's environment with some changes; None takes a variable away."""
    return {name: value for name, value in {**os.environ, **changes}.items() if value is not None}


class Command:
    """A command in the background, which writes to a log."""

    _count = 0
    _counting = threading.Lock()

    def __init__(self, words, log, environment=None, append=False, nice=0):
        with Command._counting:
            Command._count += 1
            self.mark = f"{os.getpid()}.{Command._count}"
        # The processor time of it and of all of its children that it has waited for, in seconds; known at its end.
        self.work = 0.0
        self.words = [str(word) for word in words]
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "ab" if append else "wb") as output:
            self.process = subprocess.Popen(
                ["nice", "-n", str(nice)] + self.words if nice else self.words, cwd=ROOT, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                env=surroundings({"NO_COLOR": "1", **(environment or {}), MARK: self.mark}))

    def wait(self, limit):
        """Its exit status, or None where it took longer than `limit` seconds. It is over then, with all it has started."""
        deadline = time.monotonic() + limit
        status = None
        while status is None and time.monotonic() < deadline and not stop.is_set():
            # It stays a zombie until its time was read.
            if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
                ticks = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:15]
                self.work = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
                status = self.process.wait()
            else:
                time.sleep(0.05)
        end(self.mark)
        self.process.wait()
        if status is None and stop.is_set():
            raise Stopped()
        return status


def run(words, log, limit, environment=None, append=False, nice=0):
    """Runs a command to its end; fails with the end of its log."""
    status = Command(words, log, environment, append, nice).wait(limit)
    if status is None:
        raise Failed(f"{' '.join(map(str, words))}: took more than {limit:.0f} s, and was ended. Its log is {place(log)}.\n"
                     f"{last_lines(log)}")
    if status:
        raise Failed(f"{' '.join(map(str, words))}: status {status}. Its log is {place(log)}.\n{last_lines(log)}")


def output(words, limit=120, environment=None):
    """What a command prints."""
    done = subprocess.run(
        [str(word) for word in words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=limit,
        env={**os.environ, **(environment or {})}, check=True)
    return done.stdout.decode()


def place(path):
    """A path as it is seen from the root of the tree."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def last_lines(log, count=30):
    """The end of a log, without lines of thousands of letters."""
    lines = log.read_text(errors="replace").splitlines()
    wrong = [line for line in lines if "error:" in line and line not in lines[-count:]][:20]
    return "\n".join("    " + line[:400] for line in wrong + lines[-count:])
