"""Holds our declarations against an android.jar: to the letter of class files, and with the values of constants.

    jar.py --jar FILE --classes DIR --unpublished FILE --newer FILE

--jar          Android's stubs of any API level, as SDKs and Debian 11 have them
--newer        a table: a class or CLASS.MEMBER that came after Android 5, a tab, and the API level that brought it
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

OBJECTS = {"toString", "hashCode", "equals"}


def javap(*arguments):
    """Classes by name: those above them, and their public members by name, each as its descriptor and value."""
    done = subprocess.run(["javap", "-protected", "-s", "-constants", *arguments], capture_output=True, text=True)
    found, entry, line = {}, None, ""
    for text in done.stdout.splitlines():
        head = re.match(r"(?:\w+ )*(?:class|interface) ([\w.$]+)(?:<.*>)?(.*)\{", text)
        if head:
            above = re.findall(r"[\w.$]+\.[\w.$]+", re.sub(r"<.*?>", "", head[2]))
            entry = found[head[1]] = {"above": above, "isPublic": text.startswith("public"), "members": {}}
        elif text.startswith("  public") or text.startswith("  protected"):
            line = text.strip()
        elif line and "descriptor:" in text and entry is not None:
            value = re.search(r" = (.*);$", line)
            words = re.sub(r"<.*?>", "", re.split(r"[(=;]", line)[0]).split()
            kind = "static " if "static" in words else ""
            entry["members"].setdefault(words[-1].split(".")[-1].split("$")[-1], []).append(
                kind + text.split()[-1] + (f" = {value[1]}" if value else ""))
            line = ""
        elif "descriptor:" in text:
            line = ""
    return found


class Jar:
    def __init__(self, path):
        self.path = path
        self.classes = {}

    def entry(self, name):
        if name not in self.classes:
            self.classes.update(javap("-classpath", self.path, name))
            self.classes.setdefault(name, None)
        return self.classes[name]

    def declared(self, name, member):
        entry = self.entry(name)
        if not entry:
            return []
        found = list(entry["members"].get(member, []))
        for above in entry["above"]:
            if above.startswith("android."):
                found += self.declared(above, member)
        return found


def faults(jar, classes, exempt):
    files = sorted(str(path) for path in Path(classes).glob("android/**/*.class"))
    names = [path.relative_to(classes).with_suffix("").as_posix().replace("/", ".") for path in map(Path, files)]
    jar.classes.update(javap("-classpath", jar.path, *names))
    count = 0
    for owner, entry in javap(*files).items():
        name = owner.replace("$", ".")
        if not entry["isPublic"] or any(name == each or name.startswith(f"{each}.") for each in exempt):
            continue
        if not jar.entry(owner):
            yield f"{name} is not there"
            continue
        for member, ours in entry["members"].items():
            if f"{name}.{member}" in exempt or member in OBJECTS:
                continue
            theirs = jar.declared(owner, member)
            for each in ours:
                if member == name.split(".")[-1] and each == "()V" and not theirs:
                    continue
                count += 1
                if each not in theirs:
                    yield f"{name}.{member} is {' or '.join(theirs) or 'not there'}, not {each}"
    if count < 50:
        yield f"only {count} declarations were compared: the check itself must be wrong"


def table(path):
    return [line.split("\t") for line in Path(path).read_text().splitlines() if line[:1] not in ("", "#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("jar", "classes", "unpublished", "newer"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    jar = Jar(options.jar)
    # What names each API level has is not in a file of its own: Build.VERSION_CODES has a constant for each.
    codes = jar.entry("android.os.Build$VERSION_CODES")
    if not codes:
        raise SystemExit(f"{options.jar} is no android.jar")
    level = max(int(value.rpartition(" ")[2]) for each in codes["members"].values() for value in each
                if re.fullmatch(r"static I = \d{1,3}", value))
    exempt = {row[0] for row in table(options.unpublished) if row[1] != "bound"}
    exempt |= {name for name, since in table(options.newer) if int(since) > level}
    found = list(faults(jar, options.classes, exempt))
    for fault in found:
        print(f"API {level}: {fault}", file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"Our declarations are those of API {level}, with their values.")


if __name__ == "__main__":
    main()
