"""The files of each package below a folder: one list for .deb, RPM, AUR, Flatpak and images."""
import gzip
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging/linux"
# The pixels of icons beside the drawing, for programs that read no SVG.
ICON_SIZES = (32, 48, 64, 128, 256)
# Desktop files and AppStream descriptions of each package.
DESKTOP = {
    "heliograph": (
        "org.heliograph.command.desktop", "org.heliograph.view.desktop", "org.heliograph.command.metainfo.xml"),
    "heliograph-viewer": ("org.heliograph.view.desktop", "org.heliograph.viewer.metainfo.xml"),
    "heliograph-app": ("org.heliograph.Heliograph.desktop", "org.heliograph.Heliograph.metainfo.xml"),
}
# The program's name in each. The viewer's is the command's, which all texts say: the two packages exclude each other.
PROGRAM = {"heliograph": "heliograph", "heliograph-viewer": "heliograph", "heliograph-app": "heliograph-app"}
# The icon's name in each: the app's is its name on the session bus, by which desktops find it.
ICON = {"heliograph": "heliograph", "heliograph-viewer": "heliograph", "heliograph-app": "org.heliograph.Heliograph"}


class Wrong(Exception):
    """An input that can't be packed; the text says what to do."""


def output(*words, environment=None, folder=None):
    """The standard output of a command, which begins in a folder; Wrong with its messages where it fails."""
    done = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder,
        env={**os.environ, **(environment or {}), "LC_ALL": "C.UTF-8"})
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def need(*programs):
    missing = [one for one in programs if not shutil.which(one)]
    if missing:
        raise Wrong(f"missing: {', '.join(missing)}. Run script/install-packages.")


def version():
    """The version that the source says."""
    text = (ROOT / "Sources/Core/HelioCore/HeliographVersion.swift").read_text()
    return re.search(r'text = "([^"]+)"', text)[1]


def packages():
    """The packages that this tree makes: the app's once there is such a program."""
    has_app = '.executable(name: "heliograph-app"' in (ROOT / "Package.swift").read_text()
    return [one for one in PROGRAM if one != "heliograph-app" or has_app]


def epoch():
    """The time of all packed files in seconds: SOURCE_DATE_EPOCH, else the last commit's."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told is None:
        try:
            told = output("git", "-C", ROOT, "log", "-1", "--format=%ct")
        except Wrong:
            raise Wrong("this is no checkout of git, which tells the files' time: set SOURCE_DATE_EPOCH.")
    if not told.strip().isdigit():
        raise Wrong(f"SOURCE_DATE_EPOCH '{told}' is no number of seconds.")
    return int(told)


def runtime(executable):
    """The libraries of Swift's toolchain that a program loads: none where they are linked statically."""
    found = re.findall(r"^\s*(\S+) => (\S+/swift/linux/\S+)", output("ldd", executable), re.M)
    return {name: Path(path) for name, path in found}


def licences(executable):
    """Licences of what is linked into a program, by name: Swift packages, beside the build, and Swift's runtime."""
    place = next((one / "checkouts" for one in executable.resolve().parents if (one / "checkouts").is_dir()), None)
    if place is None:
        raise Wrong(f"{executable} is in no build folder of Swift's, which has the licences of what is linked into it.")
    found = {
        f"{package.name}-{file.name}": file
        for package in sorted(place.iterdir()) if "docc" not in package.name
        for file in sorted(package.iterdir()) if re.match(r"(LICENSE|NOTICE)(\.|$)", file.name)
    }
    swift = Path(output("swift", "-print-target-info").split('"runtimeResourcePath": "')[1].split('"')[0])
    text = swift.parents[1] / "share/swift/LICENSE.txt"
    if text.is_file():
        found["swift-LICENSE.txt"] = text
    return found


class Tree:
    """A package's files below a folder, put there one after the other."""

    def __init__(self, package, folder, prefix):
        self.package = package
        self.root = Path(folder)
        self.top = self.root / prefix.strip("/")
        self.prefix = prefix

    def put(self, place, data, mode=0o644):
        path = self.top / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, Path):
            shutil.copyfile(data, path)
        else:
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        path.chmod(mode)
        return path

    def compressed(self, place, data):
        # Neither the name nor the time of the file is in it.
        self.put(place + ".gz", gzip.compress(data, 9, mtime=0))

    def program(self, executable, beside):
        """The program, without symbols; and Swift's runtime, if not linked statically, but for what `beside` has."""
        need("strip", "readelf", "ldd")
        program = self.put(f"bin/{PROGRAM[self.package]}", Path(executable), 0o755)
        output("strip", "--strip-unneeded", program)
        loaded = runtime(executable)
        if not loaded:
            # SwiftPM adds the program's own folder, where no library is.
            if "RUNPATH" in output("readelf", "-d", program):
                need("chrpath")
                output("chrpath", "--delete", program)
            return
        need("chrpath")
        output("chrpath", "--replace", "$ORIGIN/../lib/heliograph", program)
        for name, path in sorted(loaded.items()):
            if name not in beside:
                output("strip", "--strip-unneeded", self.put(f"lib/heliograph/{name}", path))

    def desktop(self, at, number):
        date = time.strftime("%Y-%m-%d", time.gmtime(at))
        for name in DESKTOP[self.package]:
            text = (LINUX / name).read_text()
            text = text.replace("@PREFIX@", self.prefix).replace("@VERSION@", number).replace("@DATE@", date)
            self.put(f"share/{'applications' if name.endswith('.desktop') else 'metainfo'}/{name}", text)

    def icons(self):
        need("rsvg-convert")
        icons, name = "share/icons/hicolor", ICON[self.package]
        self.put(f"{icons}/scalable/apps/{name}.svg", LINUX / "heliograph.svg")
        self.put(f"{icons}/symbolic/apps/{name}-symbolic.svg", LINUX / "heliograph-symbolic.svg")
        for size in ICON_SIZES:
            place = self.top / f"{icons}/{size}x{size}/apps/{name}.png"
            place.parent.mkdir(parents=True, exist_ok=True)
            output("rsvg-convert", "-w", size, "-h", size, LINUX / "heliograph.svg", "-o", place)
            place.chmod(0o644)

    def manuals(self, executable, scratch):
        """Manual pages and completions, which the program's own description makes."""
        script = ROOT / "script/make-manuals"
        if not script.is_file():
            return
        output(script, executable, scratch, environment={"SOURCE_DATE_EPOCH": str(epoch())})
        for page in sorted(Path(scratch, "man/man1").iterdir()):
            self.compressed(f"share/man/man1/{page.name}", page.read_bytes())
        completions = Path(scratch, "completions")
        self.put("share/bash-completion/completions/heliograph", completions / "heliograph.bash")
        self.put("share/zsh/vendor-completions/_heliograph", completions / "_heliograph")
        self.put("share/fish/vendor_completions.d/heliograph.fish", completions / "heliograph.fish")

    def documents(self, executable):
        place = f"share/doc/{self.package}"
        self.put(f"{place}/copyright", LINUX / "copyright")
        self.put(f"{place}/NOTICE", ROOT / "NOTICE")
        self.compressed(f"{place}/changelog", (ROOT / "CHANGELOG.md").read_bytes())
        for name, file in licences(executable).items():
            self.put(f"{place}/licenses/{name}", file)

    def settle(self, at):
        """Gives all files and folders the same owner's modes and one time."""
        for place, folders, names in os.walk(self.root, topdown=False):
            for name in names + folders:
                path = Path(place, name)
                if path.is_dir():
                    path.chmod(0o755)
                os.utime(path, (at, at), follow_symlinks=False)
        self.root.chmod(0o755)
        os.utime(self.root, (at, at))

    def copy(self, folder):
        """Copies all files below a folder that may have others, whose folders stay as they are."""
        for file in sorted(path for path in self.root.rglob("*") if path.is_file()):
            place = Path(folder) / file.relative_to(self.root)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)


def install(package, executable, folder, scratch, prefix="/usr", number=None, beside=()):
    """Puts a package's files below a folder that is not there yet. `beside` names libraries that a package has on which this one depends."""
    executable = Path(executable)
    if not os.access(executable, os.X_OK):
        raise Wrong(f"{executable} is no program that can be run: build it, or name another.")
    tree = Tree(package, folder, prefix)
    tree.program(executable, beside)
    tree.desktop(epoch(), number or version())
    tree.icons()
    if package != "heliograph-app":
        tree.manuals(executable, scratch)
    tree.documents(executable)
    tree.settle(epoch())
    return tree
