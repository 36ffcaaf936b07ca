"""The tests, by lanes.

- engines: no program, socket or clock: one process, side by side. What has no tag.
- quiet: real programs, and no matter how fast they are: each suite a process of its own, one for each core at a time, and
  more while the cores have nothing to do.
- timed: what it measures is time, so that it has the machine to itself: each suite a process of its own, one at a time.
- nightly: single tests that wait for real minutes; in no lane.

A suite says its lane by a tag (Tests/HelioTestLanes).
"""
import collections
import json
import os
import re
import threading
import time
from pathlib import Path

from commands import LOGS, ROOT, Command, Failed, last_lines, output, place, say, stop

LANES = ("engines", "quiet", "timed")
# A suite that takes longer than this hangs.
SUITE_LIMIT = 420
# The seconds over which the idle time of the cores is measured, before one more suite begins.
REST = 1.5
# So many tests with real programs may fail once and pass when they are run again.
UNSTEADY = 2
# How a file of tests is known to wait for the real world: it must be tagged.
REAL = re.compile(
    r"\b(XServer|UDPSocket|OpenSSLProgram|RealTURNClient|Coturn|PulseServer|RunningProgram|Process)\(|/proc/self"
    r"|\b(ContinuousClock|MonotonicClock|Task\.sleep|Task\.yield|usleep)\b")
# Without these the test library tells of no tags.
TELLS_TAGS = {"SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1"}


class Test:
    """One test function: `name` is MODULE.SUITE/FUNCTION(LABELS)."""

    def __init__(self, name, file, tags):
        self.name = name
        self.file = file
        self.tags = tags
        self.suite = name.split("/")[0]
        self.module = name.split(".")[0]
        lanes = [lane for lane in LANES if lane in tags]
        if len(lanes) > 1:
            raise Failed(f"{name} has the tags of two lanes: {', '.join(lanes)}")
        self.lane = lanes[0] if lanes else "engines"
        self.is_nightly = "nightly" in tags


def bundle(bin_path):
    found = list(bin_path.glob("*PackageTests.xctest"))
    if len(found) != 1:
        raise Failed(f"{place(bin_path)} has {len(found)} test bundles, not one: run 'script/test build'.")
    return found[0]


def identity(event):
    """A test's name without its place: MODULE.SUITE/FUNCTION()."""
    return re.sub(r"/[^/]*:\d+:\d+$", "", event)


def listed(bin_path):
    """All tests that were built."""
    events = LOGS / "list.events"
    events.parent.mkdir(parents=True, exist_ok=True)
    events.unlink(missing_ok=True)
    output([bundle(bin_path), "--testing-library", "swift-testing", "--list-tests", "--event-stream-output-path", events],
           environment=TELLS_TAGS)
    records = [json.loads(line)["payload"] for line in events.read_text().splitlines()]
    # A suite's tags are those of all in it.
    tags = {identity(record["id"]): {tag.lstrip(".") for tag in record.get("_tags", record.get("tags", []))}
            for record in records}
    tests = []
    for record in records:
        if record["kind"] == "function":
            name = identity(record["id"])
            outer = [name[:at] for at, letter in enumerate(name) if letter == "/"]
            file = Path(record["sourceLocation"]["filePath"])
            tests.append(Test(name, file.relative_to(ROOT),
                              set().union(*(tags.get(one, set()) for one in [name, *outer]))))
    if not tests:
        raise Failed("the test bundle lists no tests")
    return tests


def check_tags(tests):
    """A file with tests that wait for the real world has no test in the lane of engines."""
    untagged = {test.file for test in tests if test.lane == "engines"}
    for file in sorted(untagged):
        found = REAL.search((ROOT / file).read_text())
        if found:
            raise Failed(f"{file} has '{found[0]}', so it waits for the real world, and no tag: give its suite "
                         "@Suite(.tags(.quiet)), or .timed where what it measures is time.")


class Result:
    """How a process of tests ended."""

    def __init__(self, name):
        self.name = name
        self.seconds = 0.0
        # Processor time, in seconds.
        self.work = 0.0
        self.passed = set()
        self.failed = set()
        self.begun = set()
        self.skipped = set()
        # Why it failed as a whole: a crash, or no end.
        self.trouble = None
        self.log = None

    def read(self, events):
        has_ended = False
        issues_elsewhere = False
        ended = set()
        for line in events.read_text(errors="replace").splitlines() if events.exists() else []:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # cut off by a crash
            payload = record["payload"]
            if record["kind"] == "test":
                continue
            kind = payload["kind"]
            test = identity(payload["testID"]) if "testID" in payload else None
            is_function = test is not None and "/" in test and test.endswith(")")
            if kind == "testStarted" and is_function:
                self.begun.add(test)
            elif kind == "testEnded" and is_function:
                ended.add(test)
            elif kind == "testSkipped" and is_function:
                self.skipped.add(test)
            elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                if is_function:
                    self.failed.add(test)
                else:
                    issues_elsewhere = True
            elif kind == "runEnded":
                has_ended = True
        self.passed = ended - self.failed
        if not has_ended:
            unended = sorted(self.begun - ended)
            self.trouble = "did not come to its end" + (f", in {', '.join(unended)}" if unended else "")
        elif issues_elsewhere:
            self.trouble = "has an issue that belongs to no test"
        self.failed |= self.begun - ended


def execute(bin_path, name, options, limit, log_name=None, environment=None):
    """Runs a process of tests; gives how it ended."""
    base = LOGS / "tests" / (log_name or name)
    base.parent.mkdir(parents=True, exist_ok=True)
    events = base.with_name(base.name + ".events")
    events.unlink(missing_ok=True)
    result = Result(name)
    result.log = base.with_name(base.name + ".log")
    began = time.monotonic()
    command = Command(
        [bundle(bin_path), "--testing-library", "swift-testing", "--event-stream-output-path", events] + options,
        result.log, environment)
    status = command.wait(limit)
    result.seconds = time.monotonic() - began
    result.work = command.work
    result.read(events)
    if status is None:
        result.trouble = f"took more than {limit:.0f} s, and was ended" + (
            ", in " + ", ".join(sorted(result.begun - result.passed)) if result.begun - result.passed else "")
    elif status and not result.failed and not result.trouble:
        result.trouble = f"ended with status {status}"
    return result


def pattern(names):
    """A regular expression for whole names: of modules, suites or tests."""
    return "^(" + "|".join(re.sub(r"[^A-Za-z0-9_]", ".", name) for name in sorted(names)) + ")([./(]|$)"


def explain(result):
    """What failed, for people."""
    lines = [f"{result.name}: {result.trouble}"] if result.trouble else []
    lines += [f"failed: {name}" for name in sorted(result.failed)]
    text = result.log.read_text(errors="replace").splitlines()
    wrong = [line[:400] for line in text if re.search(r"recorded an issue|^↳ [^/]|Fatal error|(^|\s)error: ", line)
             and not re.match(r"↳ T(esting Library|arget Platform)", line)]
    lines += ["    " + line for line in wrong[-20:]]
    if not wrong:
        lines.append(last_lines(result.log, 12))
    lines.append(f"The whole log is {place(result.log)}.")
    return "\n".join(lines)


# How long each suite with programs took when it last passed, in seconds.
SECONDS = ROOT / ".build" / "check-seconds.json"


def remembered():
    try:
        return json.loads(SECONDS.read_text())
    except (OSError, ValueError):
        return {}


def remember(results):
    passed = collections.defaultdict(float)
    for one in results:
        if one.passed and not one.failed and not one.trouble:
            # A test that was run again is part of its suite's time.
            passed[one.name] = round(passed[one.name] + one.seconds, 1)
    SECONDS.write_text(json.dumps({**remembered(), **passed}, indent=0, sort_keys=True))


class Idleness:
    """Measures how many cores nothing has used of late."""

    def __init__(self):
        self.restart()

    def restart(self):
        """Begins a measurement: what has just begun needs seconds until its programs use the cores."""
        self.began = time.monotonic()
        self.before = self.times()

    @staticmethod
    def times():
        """The idle time and the whole time of all cores, in ticks (proc_stat(5))."""
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return ticks[3] + ticks[4], sum(ticks)

    def has_room(self):
        """True where half a core was idle over the last REST seconds; asked earlier, false."""
        if time.monotonic() - self.began < REST:
            return False
        idle, total = (now - before for now, before in zip(self.times(), self.before))
        self.restart()
        return idle / max(1, total) * cores() > 0.5


class Lane:
    """Some tests, and how their run ended.

    Of suites `least` go on at a time, and up to `most` while half a core has nothing to do.
    """

    def __init__(self, name, bin_path, tests, least=1, most=1):
        self.name = name
        self.bin_path = bin_path
        self.tests = [test for test in tests if not test.is_nightly]
        self.least = least
        self.most = most
        self.results = []
        self.unsteady = []

    def run(self, limit):
        if not self.tests:
            return
        self.deadline = time.monotonic() + limit
        if self.name == "engines":
            self.side_by_side()
        else:
            self.by_suites()
        self.judge()

    def left(self):
        return max(1.0, self.deadline - time.monotonic())

    def side_by_side(self):
        """All in one process, as many at a time as there are cores."""
        suites = {test.suite for test in self.tests}
        self.results.append(execute(self.bin_path, "engines", ["--filter", pattern(suites)], self.left()))

    def by_suites(self):
        suites = collections.Counter(test.suite for test in self.tests)
        # Suites of many tests begin first: a long one that begins last goes on alone.
        waiting = [one for one, _ in suites.most_common()]
        running, failure = [], []

        def work(suite):
            try:
                self.add(self.suite(suite))
            except Exception as error:  # told by the thread that waits
                failure.append(error)

        idleness = Idleness()
        while waiting and not stop.is_set() and not failure:
            running = [thread for thread in running if thread.is_alive()]
            if len(running) < self.least or len(running) < self.most and idleness.has_room():
                running.append(threading.Thread(target=work, args=(waiting.pop(0),)))
                running[-1].start()
                idleness.restart()
            else:
                time.sleep(0.05)
        for thread in running:
            thread.join()
        if failure:
            raise failure[0]

    def suite(self, suite, tests=None, log_name=None):
        """A process of its own for a suite, or for some tests of it."""
        wanted = {test.name for test in self.tests if test.suite == suite} if tests is None else tests
        return execute(
            self.bin_path, suite, ["--no-parallel", "--filter", pattern(wanted)], min(SUITE_LIMIT, self.left()),
            log_name)

    def add(self, result):
        self.results.append(result)
        count = len(result.passed) + len(result.failed)
        verdict = "FAILED" if result.failed or result.trouble else "passed"
        say(f"{self.name}: {result.name} {verdict}: {count} tests in {result.seconds:.1f} s")

    @property
    def passed(self):
        return set().union(*(result.passed for result in self.results)) if self.results else set()

    @property
    def failed(self):
        return set().union(*(result.failed for result in self.results)) if self.results else set()

    def judge(self):
        """Fails where a test failed, or was not run."""
        wrong = [result for result in self.results if result.failed or result.trouble]
        if wrong and self.name != "engines":
            wrong = self.again(wrong)
        if wrong:
            raise Failed("\n".join(explain(result) for result in wrong))
        missing = {test.name for test in self.tests} - self.passed - set().union(*(one.skipped for one in self.results))
        if missing:
            raise Failed(f"not run, though they were built: {', '.join(sorted(missing)[:10])}")

    def again(self, wrong):
        """Runs tests that have failed once more, alone: a browser or a player that was slow once is told from what is
        broken. What passes then is named as unsteady; more than two at once, a crash, or what fails again, fails."""
        names = self.failed
        if len(names) > UNSTEADY or any(result.trouble for result in wrong):
            return wrong
        for result in wrong:
            say(f"Once more: {', '.join(sorted(result.failed))}\n{explain(result)}")
            second = self.suite(result.name, result.failed, result.name + ".again")
            if second.failed or second.trouble or second.passed != result.failed:
                return [result]
            self.results.append(second)
            result.failed = set()
        self.unsteady = sorted(names)
        say(f"UNSTEADY, as they passed when run again: {', '.join(self.unsteady)}. Why they failed is to be found out.")
        return []


def cores():
    return len(os.sched_getaffinity(0))
