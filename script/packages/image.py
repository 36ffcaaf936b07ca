"""The root of a container or machine that shares a desktop without a screen, as packaging/desktop/Containerfile has it,
made with Debian's own tools."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import chroot
import deb
from tree import ROOT, Wrong, output

# The same as in packaging/desktop/Containerfile, which the tests hold against this list.
PACKAGES = ("fonts-dejavu-core", "openbox", "pulseaudio", "x11-xserver-utils", "xterm", "xvfb")
USER = 7236
START = ROOT / "packaging/desktop/start"


def layer(needed):
    """A clean system with what the desktop has, and with packages that Heliograph's needs."""
    return chroot.layer("desktop", sorted({*PACKAGES, *needed}))


def furnish(system, archive):
    """Puts the package, the user and the program that starts all into a system that has PACKAGES."""
    shutil.copyfile(archive, system.folder / "heliograph.deb")
    system.output("dpkg", "--force-unsafe-io", "--install", "/heliograph.deb")
    (system.folder / "heliograph.deb").unlink()
    system.output("useradd", "--uid", USER, "--create-home", "--shell", "/bin/bash", "desktop")
    start = system.folder / "usr/local/bin/heliograph-desktop"
    shutil.copyfile(START, start)
    start.chmod(0o755)


def build(archive, executable):
    """Writes the whole root as a tar archive."""
    if os.geteuid() != 0:
        raise Wrong("an image is made of files of several users: run this as root.")
    if "HELIO_IMAGE_INSIDE" not in os.environ:
        # Mounts end with their namespace.
        words = ["unshare", "--mount", sys.executable, *sys.argv]
        return subprocess.run(words, env={**os.environ, "HELIO_IMAGE_INSIDE": "yes"}).returncode
    with tempfile.TemporaryDirectory(prefix="heliograph-image-") as scratch:
        package, _ = deb.build("heliograph", executable, Path(scratch, "packages"), 1, quick=True)
        below = layer(chroot.first_names(output("dpkg-deb", "--field", package, "Depends")))
        with chroot.opened(below, Path(scratch, "root")) as system:
            furnish(system, package)
            left_out = (f"--exclude=./{one}/*" for one in ("dev", "proc", "tmp", "var/cache/apt"))
            output("tar", "--create", "--sort=name", "--numeric-owner", "--one-file-system", *left_out,
                   "--directory", system.folder, "--file", archive, ".")
    print(archive)
    return 0
