"""The targets of the package, as the table in Package.swift has them, and what a change touches."""
import functools
import re

from commands import ROOT, Failed, output

# Folders whose targets lie in FLOOR/NAME, not in Sources/FLOOR/NAME.
BESIDE = ("Examples", "Testing", "Tests", "Web")


class Target:
    """A row of the table."""

    def __init__(self, name, floor, needs, test_needs):
        self.name = name
        self.folder = f"{floor}/{name}" if floor in BESIDE else f"Sources/{floor}/{name}"
        self.floor = floor
        self.needs = needs
        # None where there are no tests.
        self.test_needs = test_needs

    @property
    def tests(self):
        return self.name if self.name.endswith("Tests") else f"{self.name}Tests"


def read_table(text):
    """The targets by name; the grammar is said above the table."""
    found = re.search(r'^let table = """$\n(.*?)^"""$', text, re.S | re.M)
    if not found:
        raise Failed('Package.swift: no table of targets. It stands between \'let table = """\' and \'"""\'.')
    rows = []
    for line in found[1].splitlines():
        if line.startswith("#"):
            continue
        if line.startswith(" "):
            rows[-1] += line
        elif line:
            rows.append(line)
    targets = {}
    for row in rows:
        words, bar, tests = row.partition("|")
        name, floor, *needs = words.split()
        needs = [need for need in needs if not need.startswith("@")]
        # A row that is a test target itself, of nothing in particular.
        is_tests = name.endswith("Tests")
        targets[name] = Target(
            name, floor.split("/")[0], needs, tests.split() if bar else list(needs) if is_tests else None)

    def whole(need):
        need = need.split("@")[0]
        return need if need in targets else f"Helio{need}"

    for target in targets.values():
        # Products of other packages are no rows.
        target.needs = [one for one in map(whole, target.needs) if one in targets]
        if target.test_needs is not None:
            target.test_needs = [one for one in map(whole, target.test_needs) if one in targets]
    return targets


def targets():
    return read_table((ROOT / "Package.swift").read_text())


# An import of Swift, whatever stands before the word; the group is the module.
IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
                    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)", re.M)


@functools.cache
def imports(folder):
    """The modules that a folder imports, each with a file that does."""
    return {module: file.relative_to(ROOT) for file in sorted((ROOT / folder).rglob("*.swift"))
            for module in IMPORT.findall(file.read_text())}


def faults(rows):
    """The faults of rows that do not say what their folders import. A module that is imported and not named is built in time
    by chance, and --changed does not see who stands above it. A need that nobody imports is waited for in vain; tests may
    need programs."""
    for row in rows.values():
        found = imports(row.folder)
        for module in sorted(found.keys() & rows.keys() - {row.name, *row.needs}):
            yield f"{found[module]} imports {module}, which the row of {row.name} in Package.swift does not need"
        for need in row.needs:
            if need not in found and rows[need].floor != "System" and row.floor != "Tests" and found:
                yield f"the row of {row.name} in Package.swift needs {need}, which nothing there imports"
        if row.test_needs is not None and row.tests != row.name:
            found = imports(f"Tests/{row.tests}")
            for module in sorted(found.keys() & rows.keys() - {row.name, *row.test_needs}):
                yield f"{found[module]} imports {module}, which the tests of {row.name} in Package.swift do not need"


def above(touched, rows):
    """What is touched, and all targets that need it, one way or another."""
    found = set(touched)
    while True:
        more = {name for name, row in rows.items() if name not in found and found & set(row.needs)}
        if not more:
            return found
        found |= more


class Change:
    """What has changed since a revision, by what has to be looked at again."""

    def __init__(self, revision):
        self.rows = targets()
        self.files = changed_files(revision)
        self.touched = set()
        self.tests = set()
        # Who is asked for everything: the manifest, or what all tests are made with.
        self.everything = None
        folders = sorted(((row.folder + "/", name) for name, row in self.rows.items()), key=lambda one: -len(one[0]))
        for file in self.files:
            if file == "Package.swift":
                self.everything = file
            owner = next((name for folder, name in folders if file.startswith(folder)), None)
            if owner:
                self.touched.add(owner)
            elif file.startswith("Tests/"):
                self.tests.add(file.split("/")[1])
        if self.changes("Web/viewer"):
            self.touched.add("CWebPages")
        self.above = above(self.touched, self.rows)

    def changes(self, *prefixes, ends=()):
        return [one for one in self.files if one.startswith(prefixes or ("",)) and (not ends or one.endswith(ends))]

    def test_targets(self):
        """The tests of all that is touched or above it, and those that use it."""
        return self.tests | {
            row.tests for name, row in self.rows.items()
            if row.test_needs is not None and (name in self.above or self.above & set(row.test_needs))
        }

    def own_tests(self):
        """The tests that have changed, and those of what is touched."""
        return self.tests | {self.rows[name].tests for name in self.touched if self.rows[name].test_needs is not None}

    def near_tests(self):
        """The tests of what is touched and of who needs it at first hand."""
        return self.own_tests() | {
            row.tests for row in self.rows.values()
            if row.test_needs is not None and self.touched & {*row.needs, *row.test_needs}
        }


def changed_files(revision):
    """Files that differ from a revision, committed or not, and new ones."""
    differing = output(["git", "diff", "--name-only", "--no-renames", revision, "--"])
    new = output(["git", "ls-files", "--others", "--exclude-standard"])
    return sorted({one for one in (differing + new).splitlines() if one})
