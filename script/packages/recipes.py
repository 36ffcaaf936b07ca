"""Recipes for other systems, read by those of their tools that Debian has. None was built by its own system."""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import image
import tree
from tree import ROOT, Wrong, need, output

PACKAGING = ROOT / "packaging"


def descriptions(scratch):
    """Desktop files and AppStream's, as they are installed."""
    need("desktop-file-validate", "appstreamcli", "rsvg-convert")
    for package in tree.DESKTOP:
        made = tree.Tree(package, Path(scratch, package), "/usr")
        made.desktop(tree.epoch(), tree.version())
        for file in sorted(made.root.rglob("*.desktop")):
            output("desktop-file-validate", file)
        for file in sorted(made.root.rglob("*.xml")):
            output("appstreamcli", "validate", "--no-net", "--pedantic", file)
    for file in sorted(tree.LINUX.glob("*.svg")):
        output("rsvg-convert", file, "--output", Path(scratch, "icon.png"))


def same(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found or 'nothing'} is there, and {wanted} should be.")


def rpm(scratch):
    """The spec is read by rpm, and looked at by rpmlint, whose errors count; its warnings are of taste."""
    need("rpmspec", "rpmlint")
    spec = PACKAGING / "rpm/heliograph.spec"
    output("rpmspec", "--parse", spec)
    for name, options in {"heliograph": [], "heliograph-viewer": ["--with", "viewer"]}.items():
        told = output("rpmspec", "--query", "--queryformat", "%{name} %{version}", *options, spec)
        same("heliograph.spec", told, f"{name} {tree.version()}")
    told = subprocess.run(["rpmlint", spec], capture_output=True, text=True).stdout
    wrong = [line for line in told.splitlines() if re.search(r": E: ", line)]
    if wrong or "0 errors" not in told:
        raise Wrong("rpmlint:\n" + "\n".join(wrong or [told]))


def aur(scratch):
    """The recipe and what is derived from it. makepkg refuses to run as root, and looks for pacman without using it."""
    need("makepkg", "setpriv")
    folder = Path(scratch, "aur")
    folder.mkdir()
    text = (PACKAGING / "aur/PKGBUILD").read_text()
    Path(folder, "PKGBUILD").write_text(text)
    Path(scratch).chmod(0o755)
    folder.chmod(0o777)
    Path(folder, "PKGBUILD").chmod(0o644)
    words = ["makepkg", "--printsrcinfo"]
    if os.geteuid() == 0:
        nobody = output("id", "-u", "nobody").strip()
        words = ["setpriv", f"--reuid={nobody}", "--clear-groups", *words]
    told = output(*words, environment={"HOME": str(folder), "PACMAN": "true"}, folder=folder)
    same("packaging/aur/.SRCINFO", (PACKAGING / "aur/.SRCINFO").read_text().strip(), told.strip())
    same("PKGBUILD's pkgver", re.search(r"^pkgver=(.*)$", text, re.M)[1], tree.version())


def flatpak(scratch):
    need("flatpak-builder")
    manifest = PACKAGING / "flatpak/org.heliograph.viewer.yaml"
    # It leaves a folder where it begins.
    output("flatpak-builder", "--show-manifest", manifest, folder=scratch)


def homebrew(scratch):
    need("ruby")
    formula = PACKAGING / "homebrew/heliograph.rb"
    output("ruby", "-wc", formula)
    same("heliograph.rb's tag", re.search(r'tag: +"v([^"]+)"', formula.read_text())[1], tree.version())


def container(scratch):
    """The container and the image that is built here have the same packages and user."""
    text = (PACKAGING / "desktop/Containerfile").read_text()
    listed = re.search(r"--no-install-recommends \\\n\s+(.*?) /tmp/heliograph", text)[1].split()
    same("Containerfile's packages", sorted(listed), sorted(image.PACKAGES))
    same("Containerfile's user", re.search(r"useradd --uid (\d+)", text)[1], str(image.USER))


def check():
    for one in (descriptions, rpm, aur, flatpak, homebrew, container):
        with tempfile.TemporaryDirectory() as scratch:
            one(scratch)
