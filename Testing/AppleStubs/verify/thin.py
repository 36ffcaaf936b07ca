#!/usr/bin/env python3
"""Checks that Swift files are thin: calls and conversions, and no policy. See script/check-apple."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

FUNCTION_LINES = 25
FILE_LINES = 200
# Ways through a function: each condition, loop and handler opens one more. A switch is mostly a table of names for names:
# it opens one.
PATHS = 6

# Each of these has a body where a brace follows before the statement ends.
BODIES = re.compile(r"\b(func\s+(?P<name>`?[\w]+`?|[^\w\s(]+)|init[?!]?(?=\s*[(<])|deinit|(?:var|subscript)\b)")
BRANCHES = re.compile(r"\b(if|guard|for|while|repeat|switch|catch)\b|&&|\|\||\?\?|(?<=\s)\?(?=\s)")
FORCED = re.compile(r"\b(try|as)!|(?<=[\w)\]])!(?![=\w])")
TARGETS = re.compile(r"\bos\s*\(|\btargetEnvironment\s*\(")
# On Linux neither holds: what is of one system alone is checked where it says the other word, too.
EXCUSED = re.compile(r"os\(macOS\) \|\| CHECKED_AS_MACOS|os\(iOS\) \|\| CHECKED_AS_IOS")


def bare(text: str) -> str:
    """Comments and strings become spaces; what is interpolated is taken as part of the string."""
    pattern = r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL)


def body_of(code: str, start: int) -> tuple[int, int] | None:
    """Where the braces of a declaration are, if it has any: before its line ends, but for brackets that are open."""
    depth, index = 0, start
    while index < len(code):
        letter = code[index]
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
            if depth < 0:
                return None
        elif letter == "{" and depth == 0:
            level = 0
            for end in range(index, len(code)):
                level += {"{": 1, "}": -1}.get(code[end], 0)
                if level == 0:
                    return index, end
            return None
        elif letter in "=;}" and depth == 0 and code[index - 1] not in "=!<>" and code[index + 1] != "=":
            return None
        elif letter == "\n" and depth == 0:
            before, after = code[start:index].rstrip(), code[index:].lstrip()
            goes_on = before.endswith(("->", ",", ":", "&")) or re.match(r"->|\{|where\b|throws\b|async\b", after)
            if not goes_on:
                return None
        index += 1
    return None


def findings(file: Path) -> Iterator[str]:
    text = file.read_text()
    code = bare(text)
    lines = code.splitlines()

    def line(offset: int) -> int:
        return code.count("\n", 0, offset) + 1

    if len(lines) > FILE_LINES:
        yield f"{file}: {len(lines)} lines: at most {FILE_LINES}"
    for match in FORCED.finditer(code):
        declared = re.search(r":\s*(?:\([^()]*\)|[\w.<>\[\] ]+)$", code[: match.start()].rpartition("\n")[2])
        what = "an implicitly unwrapped type" if declared and match.group() == "!" else f"'{match.group()}'"
        yield f"{file}:{line(match.start())}: {what} may trap: unwrap it"
    for number, statement in enumerate(lines, start=1):
        if re.match(r"\s*#(if|elseif)\b", statement) and TARGETS.search(EXCUSED.sub("", statement)):
            yield (
                f"{file}:{number}: is seen by no check here: say canImport(AppKit) or canImport(UIKit), "
                "or 'os(macOS) || CHECKED_AS_MACOS'"
            )
    for match in BODIES.finditer(code):
        body = body_of(code, match.end())
        if body is None:
            continue
        first, last = line(match.start()), line(body[1])
        name = match["name"] or match.group().split()[0]
        if match.group().startswith("var"):
            name = "var " + re.match(r"\s*([\w`]*)", code[match.end() :]).group(1)  # type: ignore[union-attr]
        if last - first + 1 > FUNCTION_LINES:
            yield f"{file}:{first}: {name} has {last - first + 1} lines: at most {FUNCTION_LINES}"
        paths = 1 + len(BRANCHES.findall(code[body[0] : body[1]]))
        if paths > PATHS:
            yield f"{file}:{first}: {name} has {paths} ways through it: at most {PATHS}; policy is HelioAppleMedia's"


def main(folders: list[str]) -> int:
    files = sorted(file for folder in folders for file in Path(folder).rglob("*.swift"))
    if not files:
        print("no Swift files: the check itself must be wrong", file=sys.stderr)
        return 1
    failures = [finding for file in files for finding in findings(file)]
    for failure in failures:
        print(failure, file=sys.stderr)
    if not failures:
        print(f"{len(files)} files: each thin.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
