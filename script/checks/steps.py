"""The steps of script/test: what each does, what it may take, and which go on side by side."""
import collections
import json
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

import graph
import lanes
from commands import BUILD, LOGS, ROOT, Command, Failed, marked, names_of, now, output, run, say
from lanes import Lane, cores

# Seconds that a step may take on two cores that have nothing else to do. One that takes twice as long is ended, and has
# failed: either it hangs, or it has grown and this table has to say so.
BUDGETS = {
    "packages": 300,
    "format": 90,
    "shell": 30,
    "architecture": 60,
    "web": 60,
    "build": 760,
    "engines": 250,
    "timed": 500,
    "quiet": 650,
    "apple": 150,
    "android": 400,
    "docs": 60,
    "budgets": 150,
    # A minute; the first time on a machine it makes clean systems as well, which takes three or four more.
    "deb": 300,
}
# One after the other; of a row, what stands in each bracket goes on beside the others. What fails soonest comes first. The
# lanes of tests want the cores for themselves, but for the quiet one, which waits more than it works.
PLAN = [
    [["packages"]],
    [["build"], ["format", "shell", "architecture", "web"]],
    [["engines"]],
    [["timed"]],
    [["quiet"], ["apple", "android", "docs", "budgets", "deb"]],
]
# Not in the plan: libFuzzer, a second each function. Seeds and mutations of each function are run by 'engines'.
ASIDE = {"fuzz": 900, "only": 3600}
# The seconds of a run of what has changed, and how many of them the timed lane may take; suites whose time is not known
# count as so long.
CHANGED = 300
CHANGED_TIMED = 60
UNKNOWN_SUITE = 15

# What would keep everybody waiting, and why it is here: CONTRIBUTING.md has the list.
NIGHTLY = {
    "nightly:programs": 3600,
    "nightly:starts": 1800,
    "nightly:engines": 7200,
    "nightly:fuzz": 14400,
    "nightly:threads": 3600,
}
NIGHTLY_FUZZ_SECONDS = 120
# More of what the simulated worlds are tried with.
NIGHTLY_ENGINES = {
    "HELIO_SESSION_RUNS": "10000", "HELIO_PEER_RUNS": "10000", "HELIO_SCTP_RUNS": "2000", "HELIO_FUZZ_RUNS": "50000",
    "HELIO_RELAY_RUNS": "10000", "HELIO_RTMP_RUNS": "10000", "HELIO_SOUND_RUNS": "10000", "HELIO_SOUND_SECONDS": "3600",
    "HELIO_SOUND_SESSION_RUNS": "1000", "HELIO_FILE_BYTES": "10000000000",
}
NIGHTLY_ENGINE_TESTS = (
    "TurmoilTests", "TransferTests", "FuzzFunctionTests", "clocks300ppmApart", "SoundNetworkTests", "largeFile")
# What has threads of its own, and no program of somebody else's in the same process.
THREADED = (
    "HelioLoopTests", "HelioPeerPortTests", "HelioServingTests", "HelioSignalingTests", "HelioStoresTests",
    "HelioTLSTests", "HelioTunnelTests")
# ThreadSanitizer does not see the futex that Swift's Mutex is on Linux: it calls each access under one a race where
# nothing else orders the threads, as in these.
UNSEEN = "EnginePortTests[./]"

# A proof that `within` of script/lib.sh, by which the Apple checks run theirs, ends a command that hangs, with all that the
# command has started.
WITHIN_HOLDS = r"""
source script/lib.sh
pids=$(mktemp)
status=0
within 1 bash -c 'sleep 300 & echo $! >"$1"; setsid sleep 300 & echo $! >>"$1"; trap "" TERM; wait; wait' _ "$pids" ||
    status=$?
((status == 124)) || fail "a command that hangs ended with $status"
[[ $(wc -l <"$pids") == 2 ]] || fail "two processes should have begun"
while IFS= read -r pid; do
    if kill -0 "$pid" 2>/dev/null; then fail "process $pid was left behind"; fi
done <"$pids"
rm -f "$pids"
within 60 true
status=0
within 60 bash -c 'exit 7' || status=$?
((status == 7)) || fail "a command that fails with 7 ended with $status"
"""
# Which build Apple's targets are held against, and whose packages are compiled for Android.
OTHERS = {"HELIO_BUILD": str(BUILD)}
# What the engines are compiled with, so that hours of virtual time take seconds: see Package.swift.
CHECKS = {"HELIO_CHECKS": "1"}


class Step:
    """One step at work: its log, and how long it may still go on."""

    def __init__(self, name, budget):
        self.name = name
        self.budget = budget
        self.began = time.monotonic()
        self.log = LOGS / f"{name.replace(':', '-')}.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")

    @property
    def seconds(self):
        return time.monotonic() - self.began

    def left(self):
        return max(1.0, 2 * self.budget - self.seconds)

    def run(self, *words, environment=None, nice=0):
        run(words, self.log, self.left(), {**CHECKS, **(environment or {})}, append=True, nice=nice)


class Checks:
    """A run of checks: what was built, and what its tests were."""

    def __init__(self, change=None):
        # Only what this touches; None: everything.
        self.change = change
        # What names of tests hold, for 'only'.
        self.words = []
        self.lanes = []
        self.left_out = []
        self._tests = None

    # What needs no build

    def packages(self, step):
        step.run("script/install-packages", "run", "test")
        step.run("script/install-peers")
        step.run("script/install-adbd")

    def format(self, step):
        step.run("script/format", "--check")

    def shell(self, step):
        named = output(["git", "ls-files", "--cached", "--others", "--exclude-standard", "script", ".ci", "Benchmarks",
                        "Tests", "packaging"]).splitlines()
        scripts = [one for one in named if (ROOT / one).is_file() and is_shell(ROOT / one)]
        if not scripts:
            raise Failed("no shell scripts found")
        step.run("shellcheck", *scripts)
        limits_hold()
        step.run("bash", "-c", WITHIN_HOLDS)

    def architecture(self, step):
        step.run("script/check-architecture", "--self-test")
        step.run("script/check-architecture")
        rows = graph.targets()
        wrong = list(graph.faults(rows))
        if wrong:
            raise Failed("\n".join(wrong))
        rows["HelioServing"].needs = [one for one in rows["HelioServing"].needs if one != "HelioMedia"] + ["HelioRTMP"]
        if len(list(graph.faults(rows))) != 2:
            raise Failed("a module that no row needs, and a need that is not imported, went unseen")

    def web(self, step):
        # What of the page is logic alone; WebViewerTests have the rest. What its comments say of types is held to.
        step.run("tsc", "--project", "Web/tsconfig.json")
        step.run("node", "--test", *sorted((ROOT / "Web/tests").glob("*.test.js")))

    # The build, and what is made of it

    def build(self, step):
        step.run("swift", "build", "--build-tests", *BUILD_OPTIONS)

    bin_path = BUILD / "debug"

    @property
    def tests(self):
        if self._tests is None:
            self._tests = lanes.listed(self.bin_path)
            lanes.check_tags(self._tests)
        return self._tests

    def lane(self, step, name, least=1, most=1):
        wanted = [test for test in self.tests if test.lane == name]
        if self.change:
            wanted = self.touched(name, wanted)
        lane = Lane(name, self.bin_path, wanted, least, most)
        self.lanes.append(lane)
        try:
            lane.run(step.left())
        finally:
            lanes.remember(lane.results)

    def touched(self, lane, tests):
        """Of the engines all that may be touched; of what runs programs, where all is above everything, the nearest suites
        for which there is time."""
        change = self.change
        if change.everything:
            return tests
        all_above = change.test_targets()
        if lane == "engines":
            return [test for test in tests if test.module in all_above]
        near = change.near_tests()
        suites = collections.defaultdict(list)
        for test in tests:
            if test.module in near and not test.is_nightly:
                suites[test.suite].append(test)
        own = change.own_tests()
        seconds = lanes.remembered()
        # Those of the changed modules first, and of these the quickest.
        order = sorted(suites, key=lambda one: (one.split(".")[0] not in own, seconds.get(one, UNKNOWN_SUITE), one))
        left = CHANGED - now()
        room = min(left, CHANGED_TIMED) if lane == "timed" else left * lanes.cores()
        chosen = []
        for suite in order:
            room -= seconds.get(suite, UNKNOWN_SUITE)
            if chosen and room < 0:
                break
            chosen.append(suite)
        beyond = order[len(chosen):]
        without = {test.module for test in tests} & all_above - near
        if beyond or without:
            self.left_out.append(f"of lane {lane}: {', '.join(sorted(without) + beyond)}")
        return [test for suite in chosen for test in suites[suite]]

    def engines(self, step):
        self.lane(step, "engines")

    def timed(self, step):
        self.lane(step, "timed")

    def quiet(self, step):
        self.lane(step, "quiet", cores(), 4 * cores())

    def apple(self, step):
        """What is for Apple's systems: its declarations are what somebody else says they are, and it type-checks."""
        for script in (
            "script/check-apple-project", "script/check-apple-symbols", "script/check-apple", "script/check-darwin",
        ):
            step.run(script, "--self-test", environment=OTHERS, nice=10)
            step.run(script, environment=OTHERS, nice=10)

    def android(self, step):
        """Core, wire and engines compile for Android, what the phone's server calls is Android's, and a fake phone is shared."""
        for script in ("script/check-android-symbols", "script/check-android-core"):
            step.run(script, "--self-test", environment=OTHERS, nice=10)
            step.run(script, environment=OTHERS, nice=10)
        step.run("script/check-android", self.bin_path / "heliograph")

    def docs(self, step):
        # A link to a name that is gone, or a parameter without a word, fails here. The documentation is made of the modules that
        # are built: SwiftPM's plugin would build everything once more, as it is given other options.
        built, target = self.modules(), triple()
        made = LOGS / "documentation"
        shutil.rmtree(made, ignore_errors=True)
        for catalog in sorted((ROOT / "Sources").glob("*/*/*.docc")):
            name = catalog.stem
            symbols = made / "symbols" / name
            symbols.mkdir(parents=True)
            step.run("swift", "symbolgraph-extract", "-module-name", name, "-minimum-access-level", "public",
                     "-target", target, "-output-dir", symbols, *built, nice=10)
            step.run("docc", "convert", catalog, "--additional-symbol-graph-dir", symbols,
                     "--fallback-display-name", name, "--fallback-bundle-identifier", name, "--warnings-as-errors",
                     "--output-path", made / name, nice=10)
        # Options, commands and keys that the documents name.
        step.run("script/check-words", self.bin_path / "heliograph")

    def modules(self):
        """The options by which a compiler finds what was built: our modules, and those of C."""
        maps = [*self.bin_path.glob("*.build/module.modulemap"),
                *BUILD.glob("checkouts/*/Sources/*/include/module.modulemap")]
        flags = output(["pkg-config", "--cflags-only-I", "openssl", "opus", "srt", "libpipewire-0.3"]).split()
        return [
            "-I", self.bin_path / "Modules",
            *(word for folder in sorted((ROOT / "Sources/System").iterdir()) for word in ("-I", folder)),
            *(word for flag in [*(f"-fmodule-map-file={one}" for one in maps), *flags] for word in ("-Xcc", flag)),
        ]

    def budgets(self, step):
        """What the hot paths may allocate, counted and not timed, so a busy machine changes nothing; and what a broadcast
        extension may have of memory: a minute of it, and the unscaled path, which has to break the budget."""
        step.run(self.bin_path / "helio-budgets")
        step.run("python3", "Benchmarks/relay/memory.py", self.bin_path / "helio-extension", "--seconds", "60")

    def deb(self, step):
        """Packages, of the programs that the checks have built: made, installed and used in clean systems. The viewer's
        program is of the same objects, and takes the place of what can share."""
        step.run("swift", "build", "--product", "heliograph-viewer", *BUILD_OPTIONS, nice=10,
                 environment={"HELIO_VIEWER": "1"})
        step.run("script/check-packages", nice=10)

    def fuzz(self, step):
        """libFuzzer's second: of every function, or of those that read what has changed."""
        if not self.change:
            return step.run("script/fuzz", "all", "1")
        for name in fuzz_functions(self.change):
            step.run("script/fuzz", name, "1")

    def only(self, step):
        """The suites whose name holds one of some words, whichever their lane is; nightly tests too."""
        wanted = [test for test in self.tests if any(word in test.name for word in self.words)]
        if not wanted:
            raise Failed(f"no test has {' or '.join(self.words)} in its name")
        for test in wanted:
            test.is_nightly = False
        self.lanes.append(Lane("only", self.bin_path, wanted))
        self.lanes[-1].run(step.left())

    # What takes hours, or waits for real minutes

    def nightly_programs(self, step):
        waiting = [test for test in self.tests if test.is_nightly]
        if not waiting:
            raise Failed("no test has the tag 'nightly'")
        for test in waiting:
            self.one(step, test.suite, ["--no-parallel", "--filter", lanes.pattern([test.name])], {test.name})

    def nightly_starts(self, step):
        starts = {test.name for test in self.tests if test.name.endswith("/oneKeyframe(_:)")}
        self.one(step, "nightly-starts", ["--no-parallel", "--filter", lanes.pattern(starts)], starts,
                 {"HELIO_STARTS": "20"})

    def nightly_engines(self, step):
        options = [word for name in NIGHTLY_ENGINE_TESTS for word in ("--filter", name)]
        self.one(step, "nightly-engines", options, set(), NIGHTLY_ENGINES)

    def nightly_fuzz(self, step):
        step.run("script/fuzz", "all", os.environ.get("HELIO_FUZZ_SECONDS", NIGHTLY_FUZZ_SECONDS))

    def nightly_threads(self, step):
        options = [word for name in THREADED for word in ("--filter", f"^{name}[./]")]
        step.run("swift", "test", "--sanitize=thread", "--scratch-path", ".build/thread", "--no-parallel", *options,
                 "--skip", UNSEEN, environment={"HELIO_CHECKS": None})

    def one(self, step, name, options, wanted, environment=None):
        """A process of tests that has to run what is wanted, and to pass."""
        result = lanes.execute(self.bin_path, name, options, step.left(), environment=environment)
        say(f"{step.name}: {name}: {len(result.passed)} tests in {result.seconds:.1f} s")
        if result.failed or result.trouble or not result.passed or wanted - result.passed:
            raise Failed(lanes.explain(result))


# Each module is compiled whole, as on two cores that is less work than some files at a time; nothing is written for a
# debugger; a module's interface comes of the same pass as its code; and the toolchain's own linker is the quickest. The index
# of sources stays: SwiftPM looks for tests in it.
BUILD_OPTIONS = ["--scratch-path", BUILD] + [
    word for flag in ("-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2", "-gnone",
                      "-use-ld=lld")
    for word in ("-Xswiftc", flag)
]


def triple():
    """The platform that the toolchain compiles for, as a target triple without a version."""
    return json.loads(output(["swift", "-print-target-info"]))["target"]["unversionedTriple"]


def fuzz_functions(change):
    """The functions whose file imports what has changed, or has changed itself."""
    table = (ROOT / "Tests/HelioFuzzingTests/FuzzFunction.swift").read_text()
    names = []
    for name, kind in re.findall(r'FuzzFunction\(name: "([^"]+)", type: (\w+)\.self', table):
        file = ROOT / f"Testing/HelioFuzzing/{kind}.swift"
        imported = graph.IMPORT.findall(file.read_text())
        if change.touched & set(imported) or str(file.relative_to(ROOT)) in change.files:
            names.append(name)
    return names


def is_shell(path):
    """A shell script by its name or its first line."""
    with open(path, "rb") as file:
        return path.suffix == ".sh" or re.match(rb"#!.*\b(ba)?sh\b", file.read(64)) is not None


def limits_hold():
    """What hangs is ended in time, with all that it has started, whatever session that is in."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        script = "sleep 300 & setsid sleep 300 & (setsid sleep 300 &) ; trap '' TERM; wait; wait"
        command = Command(["bash", "-c", script], log)
        deadline = time.monotonic() + 20
        # A process that has been forked and is becoming another program has no mark for a moment, so that a second look
        # may find fewer.
        while len(begun := marked(command.mark)) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        if len(begun) < 4:
            raise Failed(f"a script and three sleeps should have begun: {names_of(begun)}")
        if command.wait(0.1) is not None:
            raise Failed("a command that hangs was not ended")
        if marked(command.mark):
            raise Failed(f"a step left processes behind: {names_of(marked(command.mark))}")
        if Command(["bash", "-c", "exit 7"], log).wait(60) != 7:
            raise Failed("a command that fails with 7 ended otherwise")
