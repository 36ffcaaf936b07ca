"""Reads what PyObjC's wheels say of Apple's frameworks: constants, functions, records, and classes' selectors."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Qualifiers of an argument (in, out, by reference, ...), which say nothing of its type.
QUALIFIERS = "rnNoORVA"


@dataclass
class Framework:
    constants: dict[str, str] = field(default_factory=dict)  # Name to encoding, "@" where it is an object.
    enums: dict[str, int | float | str] = field(default_factory=dict)
    functions: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    records: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    selectors: dict[str, dict[str, Mapping[str, Any]]] = field(default_factory=dict)  # By class.
    named: set[str] = field(default_factory=set)  # What else has a name there: enumerations, opaque types.
    # Selectors and names in the compiled half, which has the protocols.
    compiled: set[str] = field(default_factory=set)

    def add(self, other: Framework) -> None:
        for mine, theirs in (
            (self.constants, other.constants), (self.enums, other.enums), (self.functions, other.functions),
            (self.records, other.records), (self.aliases, other.aliases),
        ):
            mine.update(theirs)  # type: ignore[attr-defined]
        for name, selectors in other.selectors.items():
            self.selectors.setdefault(name, {}).update(selectors)
        self.named |= other.named
        self.compiled |= other.compiled


def text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


class Recorder(types.ModuleType):
    """Stands in place of PyObjC's own module, which only Apple's systems have, and writes down what it is told."""

    arch = "arm64"
    NULL = None
    _C_NSBOOL = b"Z"
    _C_BOOL = b"B"

    def __init__(self, into: Framework) -> None:
        super().__init__("objc")
        self.into = into

    def createStructType(self, name: str, encoding: bytes, fields: list[str] | None, *_: Any, **__: Any) -> None:
        self.into.records[name.rpartition(".")[2]] = (text(encoding), list(fields or []))

    def createOpaquePointerType(self, name: str, *_: Any) -> None:
        self.into.named.add(name)

    def registerMetaDataForSelector(self, owner: bytes, selector: bytes, what: Mapping[str, Any]) -> None:
        self.into.selectors.setdefault(text(owner), {})[text(selector)] = what

    def registerNewKeywordsFromSelector(self, owner: str, selector: bytes) -> None:
        self.into.selectors.setdefault(text(owner), {}).setdefault(text(selector), {})

    def __getattr__(self, _: str) -> Callable[..., None]:
        if _.startswith("__"):
            raise AttributeError(_)
        return lambda *_, **__: None


def listed(names: str) -> list[str]:
    return [name for name in names.split("$") if name]


def read_metadata(path: Path) -> Framework:
    """One generated module: it is run with a recorder in place of PyObjC."""
    framework = Framework()
    there = sys.modules.get("objc")
    sys.modules["objc"] = Recorder(framework)
    try:
        values: dict[str, Any] = {"__name__": "metadata", "sys": sys}
        exec(compile(path.read_text(), str(path), "exec"), values)
    finally:
        if there is None:
            del sys.modules["objc"]
        else:
            sys.modules["objc"] = there
    for constant in listed(values.get("constants", "")):
        name, _, encoding = constant.partition("@")
        framework.constants[name] = encoding or "@"
    for enum in listed(values.get("enums", "")):
        name, _, value = enum.partition("@")
        framework.enums[name] = number(value)
    for name, value in values.get("misc", {}).items():
        if isinstance(value, (int, float, str)):
            framework.enums[name] = value
        else:
            framework.named.add(name)
    for name, what in values.get("functions", {}).items():
        framework.functions[name] = (text(what[0]), what[2] if len(what) > 2 else {})
    framework.aliases.update(values.get("aliases", {}))
    for name, *_ in values.get("cftypes", []):
        framework.named.add(name)
    return framework


def number(value: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def read_compiled(path: Path) -> set[str]:
    """Words and selectors among the strings of a compiled module."""
    return {match.decode() for match in re.findall(rb"(?<=\0)[A-Za-z_][A-Za-z0-9_:]{2,}(?=\0)", path.read_bytes())}


def read_frameworks(folder: Path, parts: list[str]) -> Framework:
    """A framework of the unpacked wheels; several where Apple's module exports others."""
    whole = Framework()
    for part in parts:
        metadata = folder / part / "_metadata.py"
        if not metadata.is_file():
            raise FileNotFoundError(f"PyObjC's {part} has no _metadata.py")
        whole.add(read_metadata(metadata))
        for compiled in (folder / part).glob("*.so"):
            whole.compiled |= read_compiled(compiled)
    return whole


def encodings(signature: str) -> list[str]:
    """Splits a signature into the encodings of its result and its arguments."""
    found, index = [], 0
    while index < len(signature):
        start = index
        while index < len(signature) and signature[index] in QUALIFIERS + "^":
            index += 1
        if index >= len(signature):
            raise ValueError(f"can't be split: {signature}")
        opening = signature[index]
        if opening in "{([":
            depth = 0
            while True:
                depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(signature[index], 0)
                index += 1
                if depth == 0:
                    break
        elif signature.startswith("@?", index):
            index += 2
        elif opening == "@" and signature.startswith('@"', index):
            index = signature.index('"', index + 2) + 1
        else:
            index += 1
        found.append("".join(letter for letter in signature[start:index]).lstrip(QUALIFIERS))
    return found
