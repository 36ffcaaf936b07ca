"""Reads the public declarations of the stubs' Swift text. Understands what the stubs are written in, not all of Swift."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TYPES = ("class", "struct", "enum", "protocol", "extension")
MODIFIERS = (
    "public|package|open|internal|private|fileprivate|final|static|class|override|convenience|required|weak|mutating"
    "|nonisolated|indirect|lazy|dynamic|unowned|prefix"
)
DECLARATION = re.compile(
    rf"(?:@\w+(?:\([^)]*\))?\s+)*(?P<modifiers>(?:(?:{MODIFIERS})(?:\(\w+\))?\s+(?=\w))*)"
    r"(?P<kind>class|struct|enum|protocol|extension|func|var|let|init|case|typealias|subscript|associatedtype|import)\b"
    r"(?P<rest>.*)",
    re.DOTALL,
)


@dataclass
class Parameter:
    label: str  # Empty where a caller says none.
    type: str
    has_default: bool = False


@dataclass
class Symbol:
    """A declaration: `path` is its name with those of the types around it, as in `NSWindow.StyleMask.titled`."""

    module: str
    file: str
    line: int
    kind: str
    path: str
    owner: str = ""
    owner_kind: str = ""
    parameters: list[Parameter] = field(default_factory=list)
    type: str = ""
    value: int | None = None
    static: bool = False
    throws: bool = False
    settable: bool = False
    computed: bool = False
    refers: str = ""  # The sibling that it is another name of.
    inherits: list[str] = field(default_factory=list)

    @property
    def base(self) -> str:
        """The name alone: `titled`, `init`, `convert`."""
        return self.path[len(self.owner) :].lstrip(".").split("(")[0].strip("`")


def without_comments(text: str) -> str:
    """Comments become spaces, so that lines keep their numbers."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL)


def closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "({[":
            depth += 1
        elif text[index] in ")}]":
            depth -= 1
            if depth == 0:
                return index + 1
    raise ValueError("a bracket is not closed")


def split(text: str, separator: str = ",") -> list[str]:
    """Splits where no bracket is open."""
    parts, depth, last = [], 0, 0
    for index, letter in enumerate(text):
        if letter in "({[<":
            depth += 1
        elif letter in ")}]" or (letter == ">" and text[index - 1] != "-"):
            depth -= 1
        elif letter == separator and depth == 0:
            parts.append(text[last:index].strip())
            last = index + 1
    tail = text[last:].strip()
    return parts + [tail] if tail else parts


def statements(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Offset, header and body (where there are braces) of each declaration at the top of `text`."""
    index, length = 0, len(text)
    while index < length:
        if text[index].isspace() or text[index] == ";":
            index += 1
            continue
        if text[index] == "#":
            index = (text + "\n").index("\n", index)
            continue
        start, body = index, None
        while index < length:
            letter = text[index]
            if letter in "([":
                index = closing(text, index)
                continue
            if letter == "{":
                end = closing(text, index)
                body = text[index + 1 : end - 1]
                header, index = text[start:index], end
                break
            if letter == "\n":
                following = text[index:].lstrip()
                goes_on = re.search(r"(=|,|:|->|&)\s*$", text[start:index]) or re.search(
                    r"^@\w+(\([^)]*\))?$|^(public|open)$", text[start:index].strip()
                )
                if not goes_on and not re.match(r"(->|\{|where\b|throws\b|async\b|rethrows\b)", following):
                    header = text[start:index]
                    break
            index += 1
        else:
            header = text[start:]
        yield start, header.strip(), body


def integer(text: str) -> int | None:
    """What a constant's text is worth: `0x6176_6331`, `1 << 3`, `Flags(rawValue: 4)`; nothing where it isn't a number."""
    if inner := re.search(r"rawValue:\s*([^)]*)\)", text):
        text = inner.group(1)
    text = text.strip().replace("_", "")
    if text == ".max":
        return -1
    if re.fullmatch(r"-?(0x[0-9A-Fa-f]+|\d+)", text):
        return int(text, 0)
    if shift := re.fullmatch(r"(\d+)\s*<<\s*(\d+)", text):
        return int(shift.group(1)) << int(shift.group(2))
    return None


def parameters(text: str) -> list[Parameter]:
    found = []
    for part in split(text):
        names, _, kind = part.partition(":")
        # An equals sign outside of brackets begins the default.
        pieces = split(kind, "=")
        label = [word for word in names.split() if word[0] != "@"][0].strip("`")
        found.append(Parameter("" if label == "_" else label, pieces[0], len(pieces) > 1))
    return found


class Reader:
    def __init__(self, module: str, file: str, text: str) -> None:
        self.module, self.file, self.text = module, file, without_comments(text)
        self.symbols: list[Symbol] = []

    def read(self) -> list[Symbol]:
        self.block(self.text, 0, "", "", False)
        return self.symbols

    def block(self, text: str, offset: int, owner: str, owner_kind: str, all_public: bool) -> None:
        last_value: int | None = None
        for start, header, body in statements(text):
            match = DECLARATION.match(header)
            if match is None:
                raise ValueError(f"{self.file}:{self.line(offset + start)}: can't be read: {header[:60]}")
            kind, rest, modifiers = match["kind"], match["rest"].strip(), match["modifiers"].split()
            if kind == "import":
                continue
            if kind == "case":
                last_value = self.cases(rest, offset + start, owner, last_value)
                continue
            is_public = all_public or "public" in modifiers or "open" in modifiers
            inside = offset + self.text[offset + start :].index("{") + start + 1 if body is not None else 0
            if kind in TYPES:
                name = re.match(r"[\w.`]+", rest)
                if name is None:
                    raise ValueError(f"{self.file}:{self.line(offset + start)}: has no name: {header[:60]}")
                inherits = split(rest[name.end() :].partition("where")[0].lstrip("<>:T, ").strip())
                path = name.group().strip("`") if kind == "extension" else self.join(owner, name.group().strip("`"))
                if kind != "extension" and is_public:
                    self.add(kind, path, offset + start, owner, owner_kind, inherits=inherits)
                if body is not None and (is_public or kind == "extension"):
                    public_members = kind == "protocol" or (kind == "extension" and "public" in modifiers)
                    self.block(body, inside, path, kind, public_members)
            elif is_public:
                self.member(kind, rest, modifiers, body, offset + start, owner, owner_kind)

    def member(
        self, kind: str, rest: str, modifiers: list[str], body: str | None, at: int, owner: str, owner_kind: str
    ) -> None:
        static = "static" in modifiers or "class" in modifiers
        if kind in ("func", "init", "subscript"):
            name = re.match(r"`?[\w]*`?[?!]?|[^\w\s(]+", rest)
            base = name.group().strip("`?!") if name and kind == "func" else kind
            if kind == "func" and re.match(r"[^\w`]", rest):
                base = re.split(r"[\s(]", rest)[0]
            opened = rest.index("(")
            end = closing(rest, opened)
            tail = rest[end:].partition("where")[0]
            taken = parameters(rest[opened + 1 : end - 1])
            labels = "".join(f"{one.label or '_'}:" for one in taken)
            self.add(
                kind, f"{self.join(owner, base)}({labels})", at, owner, owner_kind, parameters=taken,
                type=tail.partition("->")[2].strip(), static=static, throws="throws" in tail.partition("->")[0],
            )
        elif kind == "typealias":
            name_text, _, target = rest.partition("=")
            self.add(kind, self.join(owner, name_text.strip()), at, owner, owner_kind, type=target.strip())
        else:
            name_text, _, after = rest.partition(":")
            if "=" in name_text:
                name_text, _, after = rest.partition("=")
                after = f"String = {after}" if after.strip().startswith('"') else f"= {after}"
            typed, _, given = after.partition("=")
            value = integer(given) if given else integer(body or "")
            settable = kind == "var" and (body is None or bool(re.search(r"\bset\b", body)))
            self.add(
                kind, self.join(owner, name_text.strip().strip("`")), at, owner, owner_kind, type=typed.strip(),
                value=value, static=static, settable=settable, computed=body is not None,
                refers="".join(re.findall(r"^\s*\.(\w+)\s*$", body or "")),
            )

    def cases(self, rest: str, at: int, owner: str, last: int | None) -> int | None:
        for part in split(rest):
            name, _, value = part.partition("=")
            label = re.match(r"\s*`?(\w+)`?", name)
            if label is None:
                raise ValueError(f"{self.file}:{self.line(at)}: a case has no name: {part}")
            last = integer(value) if value else (None if last is None else last + 1)
            self.add("case", self.join(owner, label.group(1)), at, owner, "enum", value=last)
        return last

    def add(self, kind: str, path: str, at: int, owner: str, owner_kind: str, **more: object) -> None:
        self.symbols.append(
            Symbol(self.module, self.file, self.line(at), kind, path, owner, owner_kind, **more)  # type: ignore[arg-type]
        )

    def line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    @staticmethod
    def join(owner: str, name: str) -> str:
        return f"{owner}.{name}" if owner else name


def read_stubs(sources: Path) -> list[Symbol]:
    """All public declarations below a folder that has a folder for each module."""
    found: list[Symbol] = []
    for file in sorted(sources.glob("*/*.swift")):
        found += Reader(file.parent.name, f"{file.parent.name}/{file.name}", file.read_text()).read()
    return found
