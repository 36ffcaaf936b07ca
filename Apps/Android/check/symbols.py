"""Holds declarations of Android's classes against a published set of API 36's signatures.

    symbols.py --published DIR --classes DIR --unpublished FILE [--hidden FILE --server DIR]

--published    the unpacked Python package of stubs
--classes      our compiled declarations
--unpublished  a table: what is not in the published API, a class or CLASS.MEMBER; then 'hidden', 'fake' or 'bound'
--hidden       the document that says where each hidden one was read: it must name all of them
--server       the server's sources: the document must name all that these call by name, too

Compared are classes, and of each public member the name, whether it is static, and the types of its parameters and
result. Values of constants are not in the published set, and results of `int` and `long` are one there.
"""

import argparse
import ast
import re
import subprocess
import sys
from pathlib import Path

PLAIN = {
    "java.jint": "int", "java.jlong": "long", "java.jfloat": "float", "java.jdouble": "double", "java.jshort": "short",
    "java.jbyte": "byte", "java.jchar": "char", "java.jboolean": "boolean", "java.lang.String": "java.lang.String",
}  # fmt: skip
# What a result's Python type may be in Java.
RESULTS = {
    "int": {"int", "long", "short", "byte"}, "float": {"float", "double"}, "bool": {"boolean"}, "None": {"void"},
    "str": {"java.lang.String", "char"},
}  # fmt: skip
KINDS = ("hidden", "fake", "bound")
ARRAYS = {
    f"java.chaquopy.JavaArrayJ{name.title()}": f"{name}[]"
    for name in ("int", "long", "float", "double", "short", "byte", "char", "boolean")
}
LETTERS = {
    "I": "int", "J": "long", "F": "float", "D": "double", "S": "short", "B": "byte", "C": "char", "Z": "boolean", "V": "void",
}
# Members that any Java class has, which stubs leave to Object.
OBJECTS = {"toString", "hashCode", "equals"}


class Published:
    """Classes by their full names, read when they are asked for."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.modules = {}
        self.erased = {}

    def module(self, package):
        if package not in self.modules:
            first, *rest = package.split(".")
            path = self.folder.joinpath(f"{first}-stubs", *rest, "__init__.pyi")
            tree = ast.parse(path.read_text()) if path.exists() else ast.parse("")
            self.modules[package] = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and "TypeVar(" in ast.unparse(node.value):
                    bound = next((ast.unparse(each.value) for each in node.value.keywords if each.arg == "bound"), "")
                    # What a type parameter is in a class file.
                    erased = re.sub(r"\[.*|'", "", bound) or "java.lang.Object"
                    self.erased[package, ast.unparse(node.targets[0])] = erased
        return self.modules[package]

    def find(self, name):
        """A class and its package; `None` if it is not published."""
        package, *names = split(name)
        found = self.module(package).get(names[0]) if names else None
        for each in names[1:]:
            found = found and next(
                (node for node in found.body if isinstance(node, ast.ClassDef) and node.name == each), None)
        return found and (found, package)

    def members(self, name, member):
        """The declarations of a member, also those of the classes above it, each with its package."""
        entry = self.find(name)
        if not entry:
            return []
        node, package = entry
        found = []
        for each in node.body:
            own = each.target.id if isinstance(each, ast.AnnAssign) else getattr(each, "name", None)
            if own == member:
                found.append((each, package))
        for base in node.bases:
            text = ast.unparse(base)
            if text != "java.lang.Object":
                found += self.members(full(text.split("[")[0], package, self), member)
        return found


def split(name):
    """The package of a class, and the names of the classes around it and its own."""
    words = name.split(".")
    first = next((i for i, word in enumerate(words) if word[:1].isupper()), len(words))
    return [".".join(words[:first]), *words[first:]]


def full(text, package, published):
    return f"{package}.{text}" if split(text)[0] == "" and published.find(f"{package}.{text}") else text


def types(annotation, package, published, is_result):
    """The Java types that an annotation stands for, as in a class file."""
    text = ast.unparse(annotation)
    for array, java in ARRAYS.items():
        if array in text:
            return {java}
    inner = re.match(r"(?:java\.chaquopy\.)?JavaArray\[(.*)\]", text)
    if inner:
        return {f"{full(inner[1], package, published)}[]"}
    found = set()
    parts = [part.strip() for part in re.sub(r"\[.*?\]", "", text).split("|")]
    for part in parts:
        if (package, part) in published.erased:
            found.add(published.erased[package, part])
        elif part in PLAIN:
            found.add(PLAIN[part])
        elif is_result and part in RESULTS and not (part == "None" and len(parts) > 1):
            found |= RESULTS[part]
        elif part not in RESULTS and not part.startswith("java.lang.") or part == "java.lang.CharSequence":
            found.add(full(part, package, published))
    return found or {"java.lang.Object", "java.lang.CharSequence"}


class Member:
    """A public member, by a line of javap and its descriptor in the class file."""

    def __init__(self, owner, line, descriptor):
        self.owner, self.line = owner, line
        words = re.sub(r"<.*?>", "", line.partition("(")[0]).split()
        self.is_static = "static" in words
        self.is_method = "(" in line
        self.name = words[-1].split(".")[-1].split("$")[-1].rstrip(";")
        self.is_constructor = words[-1].rstrip(";") == owner
        arguments, _, result = descriptor.lstrip("(").rpartition(")")
        self.result = described(result)[0]
        self.arguments = described(arguments)
        self.key = f"{owner.replace('$', '.')}.{self.name}"

    def fault(self, published):
        """What is wrong with it by the published set; `None` if nothing is."""
        name = "__init__" if self.is_constructor else self.name
        declared = published.members(self.owner.replace("$", "."), name)
        if not declared:
            if self.is_constructor and not self.arguments or self.name in OBJECTS:
                return None
            return "is not published"
        faults = [self.compare(*each, published) for each in declared]
        return None if None in faults else faults[0]

    def compare(self, node, package, published):
        if isinstance(node, ast.AnnAssign):
            if self.is_method:
                return "is a field"
            is_static = "ClassVar" in ast.unparse(node.annotation)
            return None if is_static == self.is_static else "is static" if is_static else "is not static"
        if not isinstance(node, ast.FunctionDef) or not self.is_method:
            return "is a method"
        is_static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
        if is_static != self.is_static and not self.is_constructor:
            return "is static" if is_static else "is not static"
        wanted = [each for each in node.args.posonlyargs + node.args.args if each.arg != "self"]
        if len(wanted) != len(self.arguments):
            return f"takes {len(wanted)} arguments, not {len(self.arguments)}"
        for number, (theirs, ours) in enumerate(zip(wanted, self.arguments), 1):
            known = types(theirs.annotation, package, published, False)
            if ours not in known:
                return f"argument {number} is {' or '.join(sorted(known))}, not {ours}"
        known = types(node.returns, package, published, True)
        if not self.is_constructor and self.result not in known:
            return f"gives {' or '.join(sorted(known))}, not {self.result}"
        return None


def described(text):
    """The types of a descriptor (The Java Virtual Machine Specification, 4.3)."""
    found = []
    for arrays, name, letter in re.findall(r"(\[*)(?:L([^;]+);|([A-Z]))", text):
        found.append((name.replace("/", ".").replace("$", ".") if name else LETTERS[letter]) + "[]" * len(arrays))
    return found


def declarations(folder):
    """Members by class, of Android's classes alone."""
    files = sorted(str(path) for path in Path(folder).glob("android/**/*.class"))
    if not files:
        raise SystemExit(f"{folder} has no classes of Android's")
    printed = subprocess.run(["javap", "-public", "-s", *files], check=True, capture_output=True, text=True).stdout
    found, owner, member = {}, None, ""
    for line in printed.splitlines():
        head = re.match(r"(?:public |final |abstract |static )*(?:class|interface) ([\w.$]+)", line)
        if head:
            # What is not public is ours alone.
            owner = head[1] if line.startswith("public") else None
            if owner:
                found[owner] = []
        elif line.startswith("  public"):
            member = line.strip()
        elif owner and member and "descriptor:" in line:
            found[owner].append(Member(owner, member, line.split()[-1]))
            member = ""
    return found


def check(published, classes, unpublished):
    """Faults, a line each."""
    faults, used, confirmed = [], set(), 0
    declared = declarations(classes)
    listed = {owner.replace("$", ".") for owner in declared} & set(unpublished)
    for owner, members in declared.items():
        name = owner.replace("$", ".")
        if name in listed:
            if not published.find(name):
                used.add(name)
            continue
        if any(name.startswith(f"{each}.") for each in listed):
            continue
        if not published.find(name):
            faults.append(f"{name} is not published")
            continue
        for member in members:
            fault = member.fault(published)
            if member.key in unpublished:
                # An entry stands for all members of its name, of which some may be published.
                if fault:
                    used.add(member.key)
            elif fault:
                faults.append(f"{member.key} {fault}: {member.line}")
            else:
                confirmed += 1
    faults += [f"{key} is listed, and published or not declared" for key in sorted(set(unpublished) - used)]
    return faults, confirmed


def called_by_name(server):
    """The names of classes and members that the server looks up while it runs."""
    text = "\n".join(path.read_text() for path in sorted(Path(server).rglob("*.java")))
    found = set(re.findall(r'(?:Hidden\.type|loadClass)\("([\w.$]+)"\)', text))
    # A published class's own methods are looked up by name where older Androids lack them.
    text = re.sub(r'\bBuilder\.class\s*\.getMethod\("', "", text)
    found |= set(re.findall(r'(?:getMethod|getDeclaredMethod|Hidden\.method)\(\s*(?:\w+,\s*)?"(\w+)"', text))
    found |= set(re.findall(r'(?:field\(\w+|Hidden\.call\(\w+),\s*"(\w+)"', text))
    return {name.split(".")[-1].split("$")[0] for name in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("published", "classes", "unpublished"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--hidden")
    parser.add_argument("--server")
    options = parser.parse_args()
    rows = [line.split("\t") for line in Path(options.unpublished).read_text().splitlines() if line[:1] not in ("", "#")]
    wrong = [row for row in rows if len(row) != 2 or row[1] not in KINDS]
    if wrong:
        raise SystemExit(f"{options.unpublished}: a row wants a name, a tab, and one of {', '.join(KINDS)}: {wrong}")
    unpublished = dict(rows)
    faults, confirmed = check(Published(options.published), options.classes, unpublished)
    if options.hidden:
        document = Path(options.hidden).read_text()
        names = {key.split(".")[-1] for key, kind in unpublished.items() if kind == "hidden"}
        names |= called_by_name(options.server)
        faults += [f"{options.hidden} does not name {name}" for name in sorted(names) if not re.search(rf"\b{name}\b", document)]
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    others = ", ".join(f"{list(unpublished.values()).count(kind)} {kind}" for kind in KINDS)
    print(f"{confirmed} declarations are those of API 36; beside them: {others}.")


if __name__ == "__main__":
    main()
