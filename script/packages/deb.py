"""Packages for Debian and Ubuntu: what they depend on, and archives that are the same bytes from the same files."""
import hashlib
import tempfile
from email.utils import format_datetime
from datetime import datetime, timezone
from pathlib import Path

import tree
from tree import Wrong, output

MAINTAINER = "The Heliograph authors <heliograph@example.org>"
HOMEPAGE = "https://example.org/heliograph"
# What the viewer's window writes with: one of the fonts that TextRenderer.swift looks for.
FONTS = "fonts-dejavu-core | fonts-liberation | fonts-noto-mono | fonts-freefont-ttf"
COMMON = {"Recommends": "avahi-daemon, pulseaudio | pipewire-pulse"}
FIELDS = {
    "heliograph": {
        **COMMON,
        "Suggests": "heliograph-app, adb, xdg-desktop-portal, va-driver-all",
        "Conflicts": "heliograph-viewer",
        "Replaces": "heliograph-viewer",
        "Description": """share a screen, watch and control it
 Heliograph shares this machine's screen on another Linux machine or in any
 browser, and lets you control it from there with little delay: encrypted,
 without an account or anybody else's server in between.
 .
 A link lets one viewer in; paired devices come back without one. Sound,
 voices, clipboard and files go along.""",
    },
    "heliograph-viewer": {
        **COMMON,
        "Conflicts": "heliograph",
        "Replaces": "heliograph",
        "Description": """watch and control a shared screen
 The viewing half of Heliograph: shows another machine's screen, and controls
 it with little delay: encrypted, without an account or anybody else's server
 in between. It shares nothing, and has no video encoder.
 .
 The package heliograph shares as well, and takes this one's place.""",
    },
    "heliograph-app": {
        "Description": """share a screen, watch and control it: app for the desktop
 Heliograph in a window: machines nearby and paired ones, a switch that shares
 this screen, who watches and who controls, files and settings.""",
    },
}


def depends(executable):
    """The packages of the libraries that a program loads, with the least version of each, as dpkg knows them."""
    tree.need("dpkg-shlibdeps")
    with tempfile.TemporaryDirectory() as scratch:
        control = Path(scratch, "debian/control")
        control.parent.mkdir()
        control.write_text("Source: heliograph\n\nPackage: heliograph\nArchitecture: any\n")
        # Swift's runtime is in no package of the system: where it is not linked statically, it lies beside the program.
        private = sorted({str(path.parent) for path in tree.runtime(executable).values()})
        words = ["dpkg-shlibdeps", "-O", *(f"-l{one}" for one in private)]
        if private:
            words.append("--ignore-missing-info")
        told = output(*words, f"-e{Path(executable).resolve()}", folder=scratch)
    found = [line.partition("=")[2] for line in told.splitlines() if line.startswith("shlibs:Depends=")]
    if not found or not found[0]:
        raise Wrong(f"dpkg-shlibdeps names no package that {executable} needs.")
    return found[0]


def control(package, executable, folder, number):
    fields = {
        "Package": package,
        "Version": number,
        "Architecture": output("dpkg", "--print-architecture").strip(),
        "Maintainer": MAINTAINER,
        "Installed-Size": str(sum(-(-path.stat().st_size // 1024) for path in folder.rglob("*") if path.is_file())),
        "Depends": depends(executable),
        "Section": "net",
        "Priority": "optional",
        "Homepage": HOMEPAGE,
    }
    if package == "heliograph-app":
        fields["Depends"] += f", heliograph (= {number})"
    else:
        fields["Depends"] += f", {FONTS}"
    fields.update(FIELDS[package])
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def checksums(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files)


def changelog(package, number, at):
    date = format_datetime(datetime.fromtimestamp(at, timezone.utc))
    return f"{package} ({number}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {MAINTAINER}  {date}\n"


def build(package, executable, destination, revision, number=None, quick=False, beside=()):
    """Packs a program. Returns the archive's path and the names of libraries that it has packed beside it."""
    tree.need("dpkg-deb")
    at = tree.epoch()
    number = number or tree.version()
    whole = f"{number.replace('-', '~')}-{revision}"
    destination.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="heliograph-package-") as scratch:
        folder = Path(scratch, "root")
        made = tree.install(package, executable, folder, Path(scratch, "manuals"), number=number, beside=beside)
        made.compressed(f"share/doc/{package}/changelog.Debian", changelog(package, whole, at).encode())
        text, sums = control(package, executable, folder, whole), checksums(folder)
        Path(folder, "DEBIAN").mkdir()
        Path(folder, "DEBIAN/control").write_text(text)
        Path(folder, "DEBIAN/md5sums").write_text(sums)
        for name in ("control", "md5sums"):
            Path(folder, "DEBIAN", name).chmod(0o644)
        made.settle(at)
        architecture = output("dpkg", "--print-architecture").strip()
        archive = destination / f"{package}_{whole}_{architecture}.deb"
        # One number of threads, by which the work is divided, so that each machine makes the same bytes.
        words = ["-Znone"] if quick else ["-Zxz", "-z6"]
        output("dpkg-deb", "--root-owner-group", *words, "--build", folder, archive,
               environment={"SOURCE_DATE_EPOCH": str(at), "DPKG_DEB_THREADS_MAX": "2"})
        libraries = Path(folder, "usr/lib/heliograph")
        names = sorted(one.name for one in libraries.iterdir()) if libraries.is_dir() else []
    return archive, names
