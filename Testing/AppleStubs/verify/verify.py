#!/usr/bin/env python3
"""Checks the stubs' declarations against PyObjC's metadata: see script/check-apple-symbols."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from metadata import Framework, encodings, read_frameworks
from stubs import Parameter, Symbol, read_stubs, split

# Which of PyObjC's modules speak of a stub module. Those that are not here are of Swift or of iOS alone.
SOURCES = {
    "AppKit": ["AppKit"],
    "AppleBase": ["CoreFoundation", "Foundation"],
    "ApplicationServices": ["HIServices"],
    "AudioToolbox": ["CoreAudio"],
    # The later has the last word.
    "AVFAudio": ["CoreAudio", "AVFoundation", "AVFAudio"],
    "CoreAudio": ["CoreAudio"],
    "CoreAudioTypes": ["CoreAudio"],
    "CoreGraphics": ["Quartz/CoreGraphics"],
    "CoreMedia": ["CoreMedia"],
    "CoreVideo": ["Quartz/CoreVideo"],
    "Metal": ["Metal"],
    "MetalKit": ["MetalKit"],
    "Network": ["Network"],
    "QuartzCore": ["Quartz/QuartzCore"],
    "ReplayKit": ["ReplayKit"],
    "ScreenCaptureKit": ["ScreenCaptureKit"],
    "Security": ["Security"],
    "ServiceManagement": ["ServiceManagement"],
    "VideoToolbox": ["VideoToolbox"],
}
# What Swift calls C's scalars, by size and sign; 8 bytes are Int where C has a size of either sign.
SCALARS = {
    "Int8": "cC", "UInt8": "CcB", "CChar": "c*", "Bool": "BZcC", "ObjCBool": "BZcC", "Int16": "s", "UInt16": "S",
    "Int32": "il", "CInt": "i", "UInt32": "IL", "Int": "qQ", "UInt": "Q", "Int64": "q", "UInt64": "Q", "Float": "f",
    "Float32": "f", "Double": "d", "Float64": "d", "CGFloat": "d", "TimeInterval": "d", "UniChar": "STS", "Void": "v",
    "": "v", "()": "v",
}
RECORDS = {"CGRect", "CGPoint", "CGSize", "NSRange", "CGAffineTransform"}
IGNORED_OPERATORS = {"==", "<", "hash(into:)"}


@dataclass
class Verdicts:
    confirmed: dict[str, list[Symbol]] = field(default_factory=dict)
    unknown: list[Symbol] = field(default_factory=list)
    mismatches: list[tuple[Symbol, str]] = field(default_factory=list)


class Verifier:
    def __init__(self, symbols: list[Symbol], frameworks: Mapping[str, Framework], names: Mapping[str, str]) -> None:
        self.symbols, self.frameworks, self.names = symbols, frameworks, names
        self.verdicts = Verdicts()
        self.used_types: set[str] = set()
        self.types: dict[str, Symbol] = {}
        self.raw: dict[str, str] = {}
        for symbol in symbols:
            if symbol.kind in ("class", "struct", "enum", "protocol", "typealias"):
                self.types.setdefault(symbol.path, symbol)
                self.types.setdefault(symbol.path.rpartition(".")[2], symbol)
            if symbol.kind == "enum" and symbol.inherits[:1] != [] and symbol.inherits[0] in [*SCALARS, "String", "OSType"]:
                self.raw[symbol.path] = symbol.inherits[0]
            if symbol.kind in ("var", "let") and symbol.base == "rawValue":
                self.raw[symbol.owner] = symbol.type
        values = {symbol.path: symbol.value for symbol in symbols if symbol.kind == "case"}
        for symbol in symbols:
            if symbol.refers:
                symbol.value = values.get(f"{symbol.owner}.{symbol.refers}", symbol.value)

    # What is said of each declaration.

    def run(self) -> Verdicts:
        aliases = []
        # Types come last, as one is known by its members, too.
        for symbol in sorted(self.symbols, key=lambda one: one.kind in ("class", "struct", "enum", "protocol")):
            if symbol.kind == "typealias":
                aliases.append(symbol)
            elif not self.is_given(symbol):
                self.judge(symbol)
        for symbol in aliases:
            # A name for a type is as true as the functions and constants that it stands in.
            if symbol.path in self.used_types:
                self.confirm(symbol)
            else:
                self.verdicts.unknown.append(symbol)
        return self.verdicts

    def is_given(self, symbol: Symbol) -> bool:
        """What Swift gives each such type: nobody has to say it."""
        if symbol.base in IGNORED_OPERATORS or symbol.path == "stub(_:)":
            return True
        return symbol.owner in self.raw and (
            symbol.base == "rawValue" or symbol.path == f"{symbol.owner}.init(rawValue:)"
        )

    def judge(self, symbol: Symbol) -> None:
        framework = self.frameworks.get(symbol.module)
        if framework is None:
            self.verdicts.unknown.append(symbol)
            return
        try:
            known = self.look_up(symbol, framework)
        except Mismatch as mismatch:
            self.verdicts.mismatches.append((symbol, str(mismatch)))
            return
        if known:
            self.confirm(symbol)
        else:
            self.verdicts.unknown.append(symbol)

    def confirm(self, symbol: Symbol) -> None:
        self.verdicts.confirmed.setdefault(symbol.module, []).append(symbol)

    def look_up(self, symbol: Symbol, framework: Framework) -> bool:
        other = self.names.get(f"{symbol.module}\t{symbol.path}")
        if other is not None:
            return self.named(symbol, other, framework)
        if symbol.kind in ("class", "struct", "enum", "protocol"):
            return self.type(symbol, framework)
        if symbol.owner == "":
            if symbol.kind == "func":
                return self.function(symbol, symbol.base, framework)
            return self.constant(symbol, symbol.base, framework)
        if symbol.kind == "case" or (symbol.static and symbol.kind in ("var", "let")):
            name = self.constant_of(symbol, framework)
            try:
                if name is not None and self.constant(symbol, name, framework):
                    return True
            except Mismatch:
                # A property of a class may have a namesake, a case or a flag has not.
                if symbol.kind == "case" or symbol.owner in self.raw:
                    raise
            if symbol.kind == "case" or symbol.owner in self.raw:
                return False
        if symbol.owner in framework.records and not symbol.static:
            return self.of_record(symbol, framework)
        return self.member(symbol, framework)

    def named(self, symbol: Symbol, other: str, framework: Framework) -> bool:
        """By the name that names.tsv gives, which must be there."""
        owner, _, selector = other.rpartition(" ")
        if owner:
            what = framework.selectors.get(owner, {}).get(selector)
            if what is None and selector in framework.compiled and owner in framework.compiled:
                what = {}
            if what is None:
                raise Mismatch(f"names.tsv says {other}, which PyObjC doesn't know")
            self.shape(symbol, selector, what)
            return True
        if other in framework.functions:
            return self.function(symbol, other, framework)
        if self.constant(symbol, other, framework):
            return True
        if other in framework.named or other in framework.records or other in framework.selectors:
            return True
        raise Mismatch(f"names.tsv says {other}, which PyObjC doesn't know")

    # Types, records and constants.

    def type(self, symbol: Symbol, framework: Framework) -> bool:
        name = symbol.path.replace(".", "")
        outer, _, inner = symbol.path.rpartition(".")
        names = {name, f"{name}Ref", overlapping(outer, inner[0].upper() + inner[1:])}
        if names & framework.records.keys():
            return True
        if names & (framework.named | framework.selectors.keys() | framework.compiled):
            return True
        if any(one.owner == symbol.path for one in self.verdicts.confirmed.get(symbol.module, [])):
            return True
        opaque = re.compile(rf"\{{_*(?:[oO]paque)?{re.escape(name)}=\}}")
        return any(opaque.search(signature) for signature, _ in framework.functions.values())

    def of_record(self, symbol: Symbol, framework: Framework) -> bool:
        encoding, fields = framework.records[symbol.owner]
        if symbol.kind == "init":
            # Swift gives a C record one without arguments and one of all fields.
            return [one.label for one in symbol.parameters] in ([], fields)
        if symbol.kind not in ("var", "let") or symbol.computed:
            return False
        if symbol.base not in fields:
            raise Mismatch(f"{symbol.owner} has the fields {', '.join(fields)}")
        inner = encodings(encoding[1:-1].partition("=")[2])
        self.same(symbol.type, inner[fields.index(symbol.base)], symbol.base)
        return True

    def constant(self, symbol: Symbol, name: str, framework: Framework) -> bool:
        name = framework.aliases.get(name, name)
        if name in framework.enums:
            said = framework.enums[name]
            if symbol.kind == "case" and symbol.owner not in self.raw:
                return True  # Of Swift's own, without a value.
            if symbol.value is not None and isinstance(said, int):
                if not same_bits(symbol.value, said):
                    raise Mismatch(f"{name} is {said}, not {symbol.value}")
                self.use(symbol.type)
                return True
            if symbol.value is None and isinstance(said, int):
                raise Mismatch(f"{name} is {said}: give it that value here")
            return isinstance(said, str)
        if name in framework.constants:
            kind = framework.constants[name]
            typed = symbol.type or "String"
            if symbol.static and symbol.owner.split(".")[-1] == symbol.type.split(".")[-1] and kind == "@":
                typed = "String"  # A name with a type of its own is one in C.
            self.same(typed, kind, name)
            return True
        return False

    def constant_of(self, symbol: Symbol, framework: Framework) -> str | None:
        """Of a case or a static member: the type's words, of which Swift drops some, and then the member's."""
        known = self.normal_names(framework)
        outer, _, inner = symbol.owner.rpartition(".")
        for whole in dict.fromkeys([overlapping(outer, inner), inner, symbol.owner.replace(".", "")]):
            parts = words(whole)
            member = normal(symbol.base)
            for keep in range(len(parts), 0, -1):
                for kept in kept_words(parts, keep):
                    # One of several flags or options is of one flag or option.
                    for ending in ("", *[normal(word) for word in parts[1:]]):
                        for start in (normal("".join(kept)), normal("".join(kept)).removesuffix("s")):
                            found = known.get(start + member + ending)
                            if found is not None:
                                return found
        return None

    def normal_names(self, framework: Framework) -> dict[str, str]:
        cache: dict[int, dict[str, str]] = self.__dict__.setdefault("_normal", {})
        if id(framework) not in cache:
            cache[id(framework)] = {normal(name): name for name in [*framework.enums, *framework.constants]}
        return cache[id(framework)]

    # Functions.

    def function(self, symbol: Symbol, name: str, framework: Framework) -> bool:
        last = symbol.parameters[-1].label if symbol.parameters else ""
        # An overload that takes a block is a function of a name of its own in C.
        for candidate in (f"{name}With{last[:1].upper()}{last[1:]}" if last else name, name):
            if candidate in framework.functions:
                name = candidate
                break
        else:
            return False
        signature, what = framework.functions[name]
        result, *arguments = encodings(signature)
        given = list(symbol.parameters)
        if symbol.kind != "func" or symbol.owner:
            return self.imported(symbol, name, result, arguments)
        if len(arguments) != len(given):
            raise Mismatch(f"{name} takes {len(arguments)} arguments, not {len(given)}: {signature}")
        self.same(symbol.type, result, f"{name}'s result")
        for index, (parameter, encoding) in enumerate(zip(given, arguments, strict=True)):
            self.same(parameter.type, encoding, f"{name}'s argument {index + 1}")
            self.block(parameter, what.get("arguments", {}).get(index, {}), name, encoding)
        return True

    def imported(self, symbol: Symbol, name: str, result: str, arguments: list[str]) -> bool:
        """A C function that Swift sees as a member: `self` is one of its arguments, or what it makes."""
        has_self = symbol.kind != "init" and not symbol.static
        wanted = len(symbol.parameters) + (1 if has_self else 0)
        if len(arguments) != wanted:
            raise Mismatch(f"{name} takes {len(arguments)} arguments, not {wanted}")
        if symbol.kind != "init":
            self.same(symbol.type, result, f"{name}'s result")
        said = ""
        for place in range(len(arguments) if has_self else 1):
            rest = [one for index, one in enumerate(arguments) if index != place or not has_self]
            try:
                for parameter, encoding in zip(symbol.parameters, rest, strict=True):
                    self.same(parameter.type, encoding, f"{name}'s {parameter.label or 'argument'}")
                return True
            except Mismatch as mismatch:
                said = said or str(mismatch)
        raise Mismatch(said)

    def block(self, parameter: Parameter, what: Mapping[str, Any], name: str, encoding: str = "@?") -> None:
        if "callable" not in what:
            return
        closure = self.closure(parameter.type)
        # A block is itself the first of its arguments, a function is not.
        said = len(what["callable"]["arguments"]) - (1 if encoding == "@?" else 0)
        if closure is None:
            raise Mismatch(f"{name}: {parameter.label or parameter.type} is a closure of {said} arguments")
        if len(closure) != said:
            raise Mismatch(f"{name}: the closure {parameter.label} takes {said} arguments, not {len(closure)}")

    # Members of classes and protocols.

    def member(self, symbol: Symbol, framework: Framework) -> bool:
        owner = symbol.owner.replace(".", "")
        known = framework.selectors.get(owner, {})
        found = [one for one in known if self.selects(symbol, one)]
        kind = self.types[symbol.owner].kind if symbol.owner in self.types else symbol.owner_kind
        if not found and kind == "protocol":
            # PyObjC has a protocol's methods compiled in, or says of them that any object may have them.
            known = framework.selectors.get("NSObject", {})
            found = [one for one in known if self.selects(symbol, one)]
            if not found and owner in framework.compiled:
                found = [one for one in framework.compiled if self.selects(symbol, one)]
        said = None
        for selector in sorted(found, key=lambda one: (len(one), one)):
            # Of several that differ in what Swift leaves out, the types say which.
            try:
                self.shape(symbol, selector, known.get(selector, {}))
                return True
            except Mismatch as mismatch:
                said = said or mismatch
        if said is not None:
            raise said
        return symbol.path == f"{symbol.owner}.init()" and owner in framework.selectors

    def selects(self, symbol: Symbol, selector: str) -> bool:
        """Whether Swift's name is what an Objective-C selector becomes."""
        pieces = selector.split(":")
        if symbol.kind in ("var", "let"):
            # `isHidden` and `hidden` are one; what is only set says as much.
            name = symbol.base
            plain = name[2:3].lower() + name[3:] if re.match(r"is[A-Z]", name) else name
            setters = {f"set{plain[:1].upper()}{plain[1:]}"} if symbol.settable else set()
            return (len(pieces) == 1 and selector in {name, plain}) or (len(pieces) == 2 and pieces[0] in setters)
        count = len(symbol.parameters) + (1 if symbol.throws else 0)
        if selector.count(":") != count:
            return False
        if symbol.throws and not (pieces[count - 1] == "error" or pieces[count - 1].endswith(("Error", "error"))):
            return False
        labels = [one.label for one in symbol.parameters]
        first = words(pieces[0])
        wanted = words(symbol.base) + (words(labels[0]) if labels else [])
        if symbol.base == "make":
            wanted[0] = "new"
        elif symbol.base.startswith("make") and first[:1] == ["new"]:
            wanted[0] = "new"
        if not first or first[0].lower() != wanted[0].lower() or not is_within(wanted, first):
            return False
        if symbol.base == "init" and first[1:2] not in ([], ["With"], ["For"]):
            return False
        return all(
            normal(label) == normal(piece) or (label == "" and piece != "") or is_within(words(label), words(piece))
            for label, piece in zip(labels[1:], pieces[1:], strict=False)
        )

    def shape(self, symbol: Symbol, selector: str, what: Mapping[str, Any]) -> None:
        arguments = what.get("arguments", {})
        if "type" in what.get("retval", {}) and symbol.kind != "init" and not symbol.throws:
            self.same(symbol.type, as_text(what["retval"]["type"]), f"{selector}'s result")
        for index, parameter in enumerate(symbol.parameters):
            said = arguments.get(index + 2, {})
            if "type" in said and said.get("type_modifier") is None:
                self.same(parameter.type, as_text(said["type"]), f"{selector}'s argument {index + 1}")
            self.block(parameter, said, selector)
        if symbol.kind in ("var", "let") and selector.startswith("set") and selector.endswith(":"):
            said = arguments.get(2, {})
            if "type" in said:
                self.same(symbol.type, as_text(said["type"]), f"{selector}'s argument")

    # Types.

    def use(self, swift: str) -> None:
        for word in re.findall(r"\w+", swift):
            symbol = self.types.get(word)
            if symbol is not None and symbol.kind == "typealias" and word not in self.used_types:
                self.used_types.add(word)
                self.use(symbol.type)

    def closure(self, swift: str) -> list[str] | None:
        plain = self.plain(swift)
        target = self.types.get(plain)
        if target is not None and target.kind == "typealias":
            return self.closure(target.type)
        match = re.fullmatch(r"\(?\s*\((.*)\)\s*(?:async\s*)?(?:throws\s*)?->.*", plain, re.DOTALL)
        return split(match.group(1)) if match else None

    def plain(self, swift: str) -> str:
        swift = re.sub(r"@\w+(\([^)]*\))?\s*|\b(inout|any|some|borrowing|consuming|sending)\s+", "", swift).strip()
        while swift[-1:] in ("?", "!"):
            swift = swift[:-1]
        if swift.startswith("(") and swift.endswith(")") and "->" not in split_top(swift):
            inner = swift[1:-1].strip()
            if inner and "," not in inner:
                return self.plain(inner)
        return swift

    def kind(self, swift: str, depth: int = 0) -> str:
        """`scalar LETTERS`, `record NAME`, or `pointer DEPTH`, where objects and blocks are pointers, too."""
        plain = self.plain(swift)
        if plain in SCALARS:
            return f"scalar {SCALARS[plain]}"
        if "->" in plain:
            return "pointer 1"
        pointed = re.fullmatch(r"(?:Autoreleasing)?Unsafe(?:Mutable)?Pointer<(.*)>", plain)
        if pointed:
            inner = self.kind(pointed.group(1), depth + 1)
            return f"pointer {int(inner.split()[1]) + 1}" if inner.startswith("pointer") else "pointer 1"
        symbol = self.types.get(plain) or self.types.get(plain.rpartition(".")[2])
        if symbol is None or depth > 12:
            return f"record {plain}" if plain in RECORDS else "pointer 1"
        if symbol.kind == "typealias":
            return self.kind(symbol.type, depth + 1)
        if symbol.path in self.raw:
            return self.kind(self.raw[symbol.path], depth + 1)
        return f"record {symbol.path}" if symbol.kind == "struct" else "pointer 1"

    def same(self, swift: str, encoding: str, where: str) -> None:
        """A mismatch where a Swift type can't be what an encoding says."""
        kind = self.kind(swift)
        what, _, detail = kind.partition(" ")
        core = encoding.lstrip("rnNoORVA")
        if core.startswith(("^", "*", "@", "#", ":", "?", "[")):
            fits = what == "pointer"
            if fits and re.match(r"(Autoreleasing)?Unsafe(Mutable)?Pointer<", self.plain(swift)):
                carets = len(core) - len(core.lstrip("^"))
                stars = 1 if core[carets:][:1] in ("*", "@") else 0
                fits = int(detail) == carets + stars or core[carets:] == "v"
        elif core.startswith("{"):
            name = core[1:].partition("=")[0].lstrip("_")
            name = name.removeprefix("NS") if name in ("NSRect", "NSPoint", "NSSize") else name
            fits = what == "record" and (detail.replace(".", "") == name or detail.removeprefix("CG") == name)
        else:
            fits = what == "scalar" and core[:1] in detail
        if not fits:
            raise Mismatch(f"{where} is {encoding}, not {swift or 'Void'}")
        self.use(swift)


class Mismatch(Exception):
    pass


def as_text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def split_top(swift: str) -> str:
    return re.sub(r"\([^()]*\)", "", swift[1:-1])


def words(name: str) -> list[str]:
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", name)


def normal(name: str) -> str:
    plain = name.replace("_", "")
    plain = plain[1:] if re.match(r"k[A-Z]", plain) else plain
    return plain.lower()


def kept_words(parts: list[str], keep: int) -> list[list[str]]:
    """The ways to keep some of a type's words, of which the first stays."""
    return [[parts[0], *rest] for rest in combinations(parts[1:], keep - 1)]


def is_within(few: list[str], many: list[str]) -> bool:
    """Whether the one's words come in the other in that order."""
    rest = iter(word.lower() for word in many)
    return all(any(word.lower() == other for other in rest) for word in few)


def overlapping(outer: str, inner: str) -> str:
    """`NSEvent` and `EventType` make `NSEventType`."""
    for size in range(min(len(outer), len(inner)), 0, -1):
        if outer.endswith(inner[:size]) and inner[:size][0].isupper():
            return outer.replace(".", "") + inner[size:]
    return (outer + inner).replace(".", "")


def same_bits(one: int, other: int) -> bool:
    """Of whatever sign and of as many bits as the shorter says."""
    return one == other or any(one % (1 << bits) == other % (1 << bits) for bits in (32, 64) if other < 0 or one < 0)


def read_table(path: Path, columns: int) -> dict[str, str]:
    """Lines of MODULE, SYMBOL and what is said of it in so many cells at most; '#' begins a comment."""
    table: dict[str, str] = {}
    for count, line in enumerate(path.read_text().splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not 3 <= len(cells) <= columns or not all(cells):
            raise SystemExit(f"{path.name}:{count}: wants cells of MODULE, SYMBOL, ... with a tab between them")
        key = "\t".join(cells[:2])
        if key in table:
            raise SystemExit(f"{path.name}:{count}: says {cells[1]} twice")
        table[key] = "\t".join(cells[2:])
    return table


def page_of(symbol: Symbol) -> str:
    """Where Apple's documentation has a Swift name, if it has it where it has the others."""
    module = symbol.module
    if module == "AppleBase":
        module = "CoreFoundation" if symbol.path.startswith("CF") else "Foundation"
    return "/documentation/" + f"{module}/{symbol.path.replace('.', '/')}".lower()


PAGE = re.compile(r"/documentation/[a-z0-9_]+(/[a-z0-9_()<=:%!.*-]+)*")


def check(arguments: argparse.Namespace) -> int:
    here = Path(__file__).resolve().parent
    symbols = read_stubs(arguments.stubs)
    modules = {symbol.module for symbol in symbols}
    frameworks = {
        module: read_frameworks(arguments.wheels, SOURCES[module]) for module in modules if module in SOURCES
    }
    documented = read_table(arguments.documented, 4)
    verdicts = Verifier(symbols, frameworks, read_table(here / "names.tsv", 3)).run()
    pages: Counter[str] = Counter()
    failures = []
    disputed = set()
    for one, why in verdicts.mismatches:
        key = f"{one.module}\t{one.path}"
        page, _, excused = documented.get(key, "").partition("\t")
        if excused == why and PAGE.fullmatch(page):
            pages[one.module] += 1
            disputed.add(key)
        else:
            failures.append(f"{one.file}:{one.line}: {one.path}: {why}")
    missing = []
    for one in verdicts.unknown:
        page = documented.get(f"{one.module}\t{one.path}")
        if page is None:
            missing.append(one)
        elif not PAGE.fullmatch(page):
            failures.append(f"{arguments.documented.name}: {one.path}: not a path of Apple's documentation: {page}")
        else:
            pages[one.module] += 1
    there = {f"{one.module}\t{one.path}" for one in symbols}
    confirmed = {f"{one.module}\t{one.path}" for several in verdicts.confirmed.values() for one in several}
    for key in documented:
        name = key.replace("\t", ": ")
        if key not in there and not arguments.allow_spare:
            failures.append(f"{arguments.documented.name}: {name} is not among the stubs: take it out")
        elif key in confirmed and key not in disputed and key not in {f"{one.module}\t{one.path}" for one in verdicts.unknown}:
            failures.append(f"{arguments.documented.name}: {name} is confirmed: take it out")
    if arguments.missing:
        for one in sorted(missing, key=lambda one: (one.module, one.path)):
            print(f"{one.module}\t{one.path}\t{page_of(one)}")
        return 0
    for module in sorted(modules):
        known = len(verdicts.confirmed.get(module, []))
        lacking = sum(1 for one in missing if one.module == module)
        wrong = sum(1 for one, _ in verdicts.mismatches if one.module == module)
        print(
            f"{module}: {known} confirmed, {pages[module]} by documentation"
            + (f", {lacking} by nothing" if lacking else "")
            + (f", {wrong} mismatches" if wrong else "")
        )
    for one in missing:
        failures.append(f"{one.file}:{one.line}: {one.path}: unknown to PyObjC, and not in {arguments.documented.name}")
    for failure in failures:
        print(failure, file=sys.stderr)
    total = sum(len(several) for several in verdicts.confirmed.values())
    if total == 0:
        print("nothing is confirmed: the check itself must be wrong", file=sys.stderr)
        return 1
    print(f"{total} declarations confirmed by PyObjC, {sum(pages.values())} by documentation, {len(failures)} failures.")
    return 1 if failures else 0


def main() -> int:
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=Path, required=True, help="the folder of PyObjC's unpacked wheels")
    parser.add_argument("--stubs", type=Path, default=here.parent / "Sources")
    parser.add_argument("--documented", type=Path, default=here.parent / "documented.tsv")
    parser.add_argument("--missing", action="store_true", help="print lines for documented.tsv, and no more")
    parser.add_argument("--allow-spare", action="store_true", help="let documented.tsv say more than there is")
    return check(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
