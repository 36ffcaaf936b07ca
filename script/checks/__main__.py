"""All checks; script/test is how it is called, and says how."""
import re
import signal
import subprocess
import sys
import threading

import commands
import steps
from commands import ROOT, Failed, Stopped, say, show, stop
from graph import Change
from steps import ASIDE, BUDGETS, NIGHTLY, PLAN, Checks, Step

ALL = {**BUDGETS, **ASIDE, **NIGHTLY}
# So many lines of why a step failed are said again at the end, and which.
GIST_LINES = 15
GIST = re.compile(r"error:|failed|FAILED|recorded an issue|Fatal")


def gist(text):
    """Of a failure's text its first line, and those that say what was wrong."""
    first, *rest = text.splitlines()
    return [first] + [line for line in rest if GIST.search(line)][:GIST_LINES]


class Run:
    """Steps at work, and what came of them."""

    def __init__(self, checks):
        self.checks = checks
        self.ended = []
        self.failures = []
        # Why, for the end of what is printed: of a long run that is what everybody sees.
        self.reasons = []

    def step(self, name):
        step = Step(name, ALL[name])
        say(f"{name} ...")
        try:
            getattr(self.checks, name.replace(":", "_"))(step)
            if step.seconds > 2 * step.budget:
                raise Failed(f"took {step.seconds:.0f} s, more than twice its budget of {step.budget} s")
        except Stopped:
            say(f"{name}: ended after {step.seconds:.0f} s, as another step has failed")
            return
        except Failed as failure:
            self.failures.append(name)
            self.reasons += gist(str(failure))
            stop.set()
            show(failure)
            say(f"FAILED: {name}, after {step.seconds:.0f} s.")
        except Exception:
            self.failures.append(name)
            stop.set()
            raise
        else:
            say(f"{name}: passed in {step.seconds:.0f} s of {step.budget}")
        self.ended.append((name, step.seconds, step.budget))

    def track(self, names):
        for name in names:
            if not stop.is_set():
                self.step(name)

    def plan(self, wanted):
        for row in PLAN + [[[name]] for name in [*ASIDE, *NIGHTLY]]:
            tracks = [[name for name in track if name in wanted] for track in row]
            threads = [threading.Thread(target=self.track, args=(track,)) for track in tracks if track]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if self.failures or stop.is_set():
                return

    def summary(self):
        show("\nstep             seconds  budget")
        for name, seconds, budget in self.ended:
            show(f"{name:16} {seconds:7.0f} {budget:7}{'  OVER' if seconds > budget else ''}")
        results = [(lane.name, one) for lane in self.checks.lanes if lane.name != "engines" for one in lane.results]
        if results:
            show("\nslowest suites   seconds    cpu  tests")
            for lane, one in sorted(results, key=lambda pair: -pair[1].seconds)[:10]:
                show(f"{lane:16} {one.seconds:7.1f} {one.work:6.1f} {len(one.passed):6}  {one.name}")
            show("")
        for lane in self.checks.lanes:
            show(f"lane {lane.name}: {len(lane.passed)} tests passed of {len(lane.tests)}")
            for name in lane.unsteady:
                show(f"UNSTEADY: {name}")
        for text in self.checks.left_out:
            show(f"Left out: {text}")


def main(arguments):
    try:
        checks, wanted = chosen(arguments)
    except Failed as failure:
        show(f"test: {failure}")
        return 2
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    run = Run(checks)
    began = commands.now()
    run.plan(wanted)
    run.summary()
    passed = sum(len(lane.passed) for lane in checks.lanes)
    failed = sum(len(lane.failed) for lane in checks.lanes)
    if checks.lanes:
        # For who reads how many there were.
        print(f"{passed} passed, {failed} failed", flush=True)
    if run.failures:
        show("\n".join(run.reasons))
        show(f"FAILED: {', '.join(run.failures)}.")
        return 1
    if stop.is_set():
        show("Ended from outside.")
        return 130
    show(f"All passed in {commands.now() - began:.0f} s: {' '.join(name for name, _, _ in run.ended)}.")
    return 0


def chosen(arguments):
    """The checks, and which of their steps."""
    if arguments[:1] == ["--changed"]:
        if len(arguments) > 2:
            raise Failed("--changed takes one revision: script/test --changed main")
        return changed(arguments[1] if len(arguments) == 2 else "HEAD")
    if arguments[:1] == ["only"]:
        checks = Checks()
        checks.words = arguments[1:]
        if not checks.words:
            raise Failed("which tests? script/test only SharingTests ClosedLoopTests/lossForAMinute")
        return checks, ["build", "only"]
    wanted = arguments or list(BUDGETS)
    if wanted == ["nightly"]:
        wanted = ["build", *NIGHTLY]
    for name in wanted:
        if name not in ALL:
            raise Failed(f"there is no step '{name}'. There are {', '.join(ALL)}, and nightly for all of these.")
    return Checks(), wanted


def changed(revision):
    """The steps that a change since a revision asks for, and what they leave out."""
    try:
        change = Change(revision)
    except subprocess.CalledProcessError:
        raise Failed(f"git knows no revision '{revision}'")
    if not change.files:
        raise Failed(f"nothing has changed since {revision}")
    checks = Checks(change)
    tested = change.touched or change.tests or change.everything
    packs = change.changes("packaging/", "script/package", "script/check-packages")
    asked = {
        "format": change.changes(ends=(".swift", ".swift-format")),
        "shell": [one for one in change.files if (ROOT / one).is_file() and steps.is_shell(ROOT / one)],
        "architecture": change.changes("Sources/", "Testing/", "Web/", "Package.swift", "script/check-architecture")
        or change.changes(ends=(".md",)),
        "web": change.changes("Web/", "Testing/Vectors/"),
        "build": tested or packs,
        "engines": tested,
        "timed": tested,
        "quiet": tested,
        "apple": change.changes(
            "Sources/Platforms/HelioApple", "Sources/Drivers/", "Sources/System/", "Sources/Kit/", "Apps/",
            "Testing/AppleStubs/", "Testing/DarwinStubs/", "script/check-apple", "script/check-darwin", "script/build-apple-libraries",
            "script/lib.sh", "Package.swift"),
        "android": change.changes(
            "Sources/Core/", "Sources/Wire/", "Sources/Engines/", "Sources/Drivers/HelioADB/", "Sources/Kit/Heliograph/Android/",
            "Apps/Android/", "script/check-android", "script/lib.sh", "Package.swift"),
        "docs": change.changes("Sources/Kit/"),
        "deb": packs,
        "fuzz": steps.fuzz_functions(change),
    }
    wanted = [name for name, why in asked.items() if why]
    left = [name for name in [*BUDGETS, "fuzz"] if name not in wanted and name != "packages"]
    checks.left_out.append(f"the steps {', '.join(left)}")
    say(f"{len(change.files)} files have changed since {revision}; they touch {', '.join(sorted(change.touched)) or 'no target'}"
        f", and above these {len(change.above - change.touched)} targets.")
    return checks, wanted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
