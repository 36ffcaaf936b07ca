"""What holds between documents, and between them and the tree: links, names of modules, rows of the requirements."""
import os
import re
from pathlib import Path
from urllib.parse import unquote

REQUIREMENTS = "docs/requirements.md"
# Where code names rows of the requirements.
CODE = ("Sources", "Tests", "Testing", "Apps", "Benchmarks")
# Types that are called as modules are.
NOT_MODULES = {"HelioError"}
# A document links each source file that it names in brackets, [Name.swift], by a definition below this mark.
MARK = "<!-- Links to source files: script/check-words --write -->"


def files_below(folder, ending):
    """Files by the end of their names, without build folders and what is hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != "node_modules")
        yield from (Path(place, name) for name in sorted(names) if name.endswith(ending))


def prose(text):
    """A document without its code, line by line: code has brackets of its own, and no links."""
    lines, fence = [], None
    for line in text.splitlines():
        opened = re.match(r" {0,3}(```+|~~~+)", line)
        if opened:
            fence = None if fence == opened[1][:3] else fence or opened[1][:3]
            line = ""
        lines.append("" if fence else re.sub(r"(`+)(?:(?!\1).)+?\1", lambda code: " " * len(code[0]), line))
    return lines


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    found, seen, inside = set(), {}, False
    for line in text.splitlines():
        if re.match(r" {0,3}(```|~~~)", line):
            inside = not inside
        heading = None if inside else re.match(r"#{1,6} +(.*?) *#*$", line)
        if heading:
            name = slug(heading[1])
            seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}-{seen[name]}" if seen[name] else name)
    return found


LINK = re.compile(
    r"""\]\(<?([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)?)>?(?:\s+"[^"]*")?\)"""
    r"""|^ {0,3}\[[^\]]+\]:\s+(\S+)"""
    r"""|\bsrc="([^"]+)\"""")


def link_faults(root, document):
    """Relative links of a document that lead to no file, or to no heading of it."""
    text = document.read_text()
    for number, line in enumerate(prose(text), 1):
        for match in LINK.finditer(line):
            target = next(group for group in match.groups() if group)
            if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
                continue
            path, _, anchor = unquote(target).partition("#")
            # DocC finds its pictures by their names alone.
            if document.parent.suffix == ".docc" and any(document.parent.rglob(path)):
                continue
            file = (document.parent / path).resolve() if path else document
            where = f"{document.relative_to(root)}:{number}"
            if not file.exists() or not file.is_relative_to(root):
                yield f"{where}: {target} leads to no file of the repository"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                yield f"{where}: {target} leads to no heading"


def module_faults(root, document, modules):
    """Modules that a document names and that the table of Package.swift has not."""
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for name in re.findall(r"(?<![\w.])Helio[A-Z]\w*(?![\w-]*\.swift)", line):
            if name not in modules | NOT_MODULES:
                yield f"{document.relative_to(root)}:{number}: there is no module {name}"


ROWS = re.compile(r"\b[Rr]ows?\s+(\d+(?:(?:\s*,\s*|\s+and\s+|\s+to\s+|-|–)\d+)*)")
DEFECTS = re.compile(r"\b[Dd]efects?\s+(\d+(?:(?:\s*,\s*|\s+and\s+)\d+)*)")


def numbers(text):
    """The numbers of `12, 14 to 16 and 18`."""
    for first, last in re.findall(r"(\d+)(?:\s*(?:to|-|–)\s*(\d+))?", text):
        yield from range(int(first), int(last or first) + 1)


def row_faults(root):
    """Rows and defects that code names and the requirements don't have."""
    listed = (root / REQUIREMENTS).read_text()
    rows = {int(one) for one in re.findall(r"^\| (\d+) \|", listed, re.M)}
    defects = {int(one) for one in re.findall(r"^(\d+)\. ", listed, re.M)}
    files = [file for part in CODE for ending in (".swift", ".py", ".js") for file in files_below(root / part, ending)]
    for file in files + list(files_below(root, ".md")):
        if file == root / REQUIREMENTS:
            continue
        text = file.read_text(errors="replace")
        for pattern, known, what in ((ROWS, rows, "row"), (DEFECTS, defects, "defect")):
            missing = {one for match in pattern.finditer(text) for one in numbers(match[1])} - known
            for one in sorted(missing):
                yield f"{file.relative_to(root)}: names {what} {one}, which {REQUIREMENTS} does not have"


def linked(root, document, faults):
    """A document with the definitions of the source files that it names in brackets, as they have to be."""
    text = document.read_text()
    if MARK not in text:
        return text
    body, _, old = text.partition(MARK)
    before = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", old, re.M))
    here = {}
    for place in ("Sources", "Tests", "Testing"):
        for file in files_below(root / place, ".swift"):
            here.setdefault(file.name, []).append(os.path.relpath(file, document.parent))
    lines = []
    for name in sorted(set(re.findall(r"\[([A-Z][\w+]*\.swift)\]", body))):
        places = here.get(name, [])
        if before.get(name) in places:
            lines.append(f"[{name}]: {before[name]}")
        elif len(places) == 1:
            lines.append(f"[{name}]: {places[0]}")
        else:
            faults.append(f"{document.relative_to(root)}: which file is [{name}]? {', '.join(places) or 'None is there.'}")
    return body + MARK + "\n" + "".join(line + "\n" for line in lines)


def test(folder):
    """Plants what has to be seen in a tree of its own."""
    (folder / "docs").mkdir()
    (folder / "Sources/Core/HelioCore").mkdir(parents=True)
    (folder / "docs/there.md").write_text("# There\n\n## A heading, `and` more\n\n```\n# No heading\n```\n")
    (folder / REQUIREMENTS).write_text("| row | |\n| --- | --- |\n| 3 | x |\n| 4 | x |\n\n1. A defect.\n")
    right = ("[a](docs/there.md), [b](docs/there.md#a-heading-and-more), [c](#self), [d](https://example.org/gone.md)\n"
             "`[e](gone.md)`, HelioCore, HelioCore/Gone.swift\n\n# Self\n")
    plants = [
        ("[a](docs/gone.md)", "docs/gone.md leads to no file"),
        ("![a](gone.png)", "gone.png leads to no file"),
        ('<img src="gone.png">', "gone.png leads to no file"),
        ("[a]: docs/gone.md", "docs/gone.md leads to no file"),
        ("[a](docs/there.md#no-heading)", "leads to no heading"),
        ("[a](#nowhere)", "leads to no heading"),
        ("[a](../gone)", "leads to no file"),
        ("It is in HelioGone.", "no module HelioGone"),
    ]
    document = folder / "README.md"
    document.write_text(right)
    found = [*link_faults(folder, document), *module_faults(folder, document, {"HelioCore"})]
    if found:
        return f"finds a fault where there is none: {found[0]}"
    for text, part in plants:
        document.write_text(right + text + "\n")
        found = [*link_faults(folder, document), *module_faults(folder, document, {"HelioCore"})]
        if len(found) != 1 or part not in found[0]:
            return f"does not see what is wrong in: {text}"
    source = folder / "Sources/Core/HelioCore/Named.swift"
    for text, count in (("// Rows 3 and 4, defect 1", 0), ("// row 5", 1), ("// rows 3 to 5", 1), ("// defect 2", 1)):
        source.write_text(text + "\n")
        if len(list(row_faults(folder))) != count:
            return f"does not see which rows are there: {text}"
    document.write_text(f"See [Named.swift].\n\n{MARK}\n")
    faults = []
    if "[Named.swift]: Sources/Core/HelioCore/Named.swift" not in linked(folder, document, faults) or faults:
        return "does not link a source file"
    document.write_text(f"See [Gone.swift].\n\n{MARK}\n")
    linked(folder, document, faults)
    return None if len(faults) == 1 else "does not see that a source file is gone"
