"""Packages in clean systems: installed, used on an X server, upgraded, changed for each other, purged; and an image,
which is started. All in namespaces of their own, where no port, display or process is anybody else's."""
import contextlib
import os
import re
import signal
import struct
import subprocess
import time
from pathlib import Path

import chroot
import image
from tree import Wrong, output

# Seconds for what takes a moment.
PATIENCE = 30
# Where a system writes while packages come and go; and what it keeps of a package that was there. All else is compared.
PASSING = ("dev", "proc", "sys", "run", "tmp", "packages", "home", "var/cache", "var/log", "var/lib/apt")
PASSING_ENDS = ("-old",)
# How much of the viewer's screen has to show a colour. Without a window manager its window lies anywhere, and a desktop
# has a terminal.
LEAST = 0.2
PERSON = "1000:1000"
HOME = "/home/anna"


def eventually(what, look):
    """Waits until `look` gives something true, and returns that."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise Wrong(f"{what}: not within {PATIENCE} s.")


class Program:
    """A program that goes on, with a log."""

    def __init__(self, name, words, scratch, environment=None, descriptors=()):
        self.name = name
        self.log = Path(scratch, f"{name}.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, pass_fds=descriptors,
                env={**os.environ, **(environment or {})})

    def check(self):
        if self.process.poll() is not None:
            raise Wrong(f"{self.name} ended with {self.process.returncode}:\n{self.text()}")

    def text(self):
        return self.log.read_text(errors="replace")[-3000:]

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Wrong(f"{self.name} did not end when it was asked to:\n{self.text()}")


@contextlib.contextmanager
def running(*words, **options):
    program = Program(*words, **options)
    try:
        yield program
    finally:
        program.end()


@contextlib.contextmanager
def screen(scratch, name):
    """An X server without a screen. Gives its display."""
    ours, theirs = os.pipe()
    words = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "800x600x24", "-ac", "-nolisten", "tcp"]
    with running(name, words, scratch, descriptors=[theirs]):
        os.close(theirs)
        with os.fdopen(ours) as number:
            told = number.readline().strip()
        if not told:
            raise Wrong(f"Xvfb did not start:\n{Path(scratch, f'{name}.log').read_text()}")
        yield f":{told}"


def paint(display, colour):
    output("xsetroot", "-solid", "#%02x%02x%02x" % colour, environment={"DISPLAY": display})


def share(display, colour):
    """How much of a screen has about a colour, from 0 to 1, by places in rows (XWDFile.h: a header of big-endian words,
    colours, then rows of pixels)."""
    words = ["xwd", "-silent", "-root", "-display", display]
    data = subprocess.run(words, capture_output=True, check=True).stdout
    header = struct.unpack(">25I", data[:100])
    size, width, height, bits, row, colours = header[0], header[4], header[5], header[11], header[12], header[19]
    places = [(x, y) for x in range(10, width, 40) for y in range(10, height, 40)]
    near = 0
    for x, y in places:
        at = size + 12 * colours + y * row + x * bits // 8
        near += all(abs(one - other) <= 16 for one, other in zip(data[at:at + 3], reversed(colour)))
    return near / len(places)


def files(system):
    """All files of a system but what passes, each with its kind, mode and size."""
    found = {}
    for place, folders, names in os.walk(system.folder):
        inside = os.path.relpath(place, system.folder)
        folders[:] = [one for one in folders if os.path.normpath(os.path.join(inside, one)) not in PASSING]
        for name in folders + names:
            path = os.path.normpath(os.path.join(inside, name))
            if path.endswith(PASSING_ENDS):
                continue
            status = os.lstat(os.path.join(place, name))
            # dpkg's own books may be longer or shorter.
            is_book = path.startswith("var/lib/dpkg/") or not os.path.isfile(os.path.join(place, name))
            found[path] = (oct(status.st_mode), 0 if is_book else status.st_size)
    return found


def compared(before, after):
    """Fails where purging has left or changed a file."""
    left = sorted(set(before.items()) ^ set(after.items()))
    if left:
        raise Wrong("purging left or changed:\n" + "\n".join(str(one) for one in left[:40]))


class Trial:
    """Clean systems in which packages are tried."""

    def __init__(self, scratch, packages):
        self.scratch = Path(scratch)
        self.packages = packages

    @contextlib.contextmanager
    def system(self, name, below):
        with chroot.opened(below, self.scratch / name) as system:
            system.only_from(self.packages)
            system.output("useradd", "--uid", "1000", "--create-home", "anna")
            shared = system.folder / "tmp/.X11-unix"
            shared.mkdir(mode=0o1777)
            chroot.run("mount", "--bind", "/tmp/.X11-unix", shared)
            system.apt("update")
            yield system

    def version(self, system, package):
        return system.output("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", package)

    @contextlib.contextmanager
    def shared(self, system, display, *options):
        """A host in a system. Gives its link."""
        link = Path(HOME, "link")
        there = system.folder / str(link)[1:]
        there.unlink(missing_ok=True)
        words = system.words("heliograph", "share", "--port", "0", "--web", "0", "--no-discovery", "--sound", "off",
                             "--link-file", link, *options, user=PERSON, home=HOME, DISPLAY=display)
        with running("share", words, self.scratch) as host:
            def written():
                host.check()
                return there.is_file() and there.read_text()
            yield eventually("a link", written)

    def watch(self, name, system, link, display, colours):
        """Watches by a link in a system, and sees one colour after the other, each put there by a function."""
        there = system.folder / HOME[1:] / "to-watch"
        there.write_text(link)
        there.chmod(0o600)
        os.chown(there, 1000, 1000)
        words = system.words("heliograph", "view", "--link-file", Path(HOME, "to-watch"), "--fullscreen", "--sound",
                             "off", user=PERSON, home=HOME, DISPLAY=display)
        with running(name, words, self.scratch) as viewer:
            for colour, put in colours:
                put()

                def seen():
                    viewer.check()
                    return share(display, colour) >= LEAST
                try:
                    eventually(f"{name} shows {colour}", seen)
                except Wrong as wrong:
                    raise Wrong(f"{wrong}\n{viewer.text()}")

    def used(self, hosting, watching, name):
        """Shares a screen in one system, and watches it in another, or the same: two colours, one after the other."""
        with screen(self.scratch, "host-screen") as there, screen(self.scratch, "viewer-screen") as here:
            with self.shared(hosting, there) as link:
                colours = [(200, 60, 40), (40, 90, 200)]
                self.watch(name, watching, link, here, [(one, lambda one=one: paint(there, one)) for one in colours])


def libraries_are_there(system, program):
    """Fails where a library of a program is in no package that was installed."""
    missing = re.findall(r"^\s*(\S+) => not found", system.output("ldd", program), re.M)
    if missing:
        raise Wrong(f"{program} finds no {', '.join(missing)}: a dependency of its package is missing.")


def whole(trial, below, number, upgrade):
    """heliograph by itself: installed, used, upgraded, purged."""
    with trial.system("whole", below) as system:
        before = files(system)
        system.apt("install", f"heliograph={number}")
        libraries_are_there(system, "/usr/bin/heliograph")
        said = system.output("heliograph", "--version").strip()
        if not number.startswith(f"{said}-"):
            raise Wrong(f"heliograph says that it is {said}, and its package {number}.")
        trial.used(system, system, "view")
        system.apt("upgrade")
        if trial.version(system, "heliograph") != f"installed {upgrade}":
            raise Wrong(f"after an upgrade to {upgrade}: {trial.version(system, 'heliograph')}")
        system.output("heliograph", "--version")
        added = len(files(system).keys() - before.keys())
        system.apt("purge", "heliograph")
        compared(before, files(system))
        if not (system.folder / HOME[1:] / ".local/share/heliograph").is_dir():
            raise Wrong("a person's keys and pairings should outlive the package.")
        return f"heliograph {number}: installed, shared and viewed, upgraded to {upgrade}, {added} files purged"


def viewer(trial, below, hosting_below, number):
    """heliograph-viewer: installed, watches what heliograph shares elsewhere, has no encoder, takes its place."""
    with trial.system("viewer", below) as system, trial.system("host", hosting_below) as host:
        host.apt("install", f"heliograph={number}")
        system.apt("install", f"heliograph-viewer={number}")
        if "libx264" in output("readelf", "-d", system.folder / "usr/bin/heliograph"):
            raise Wrong("heliograph-viewer links x264.")
        libraries_are_there(system, "/usr/bin/heliograph")
        refused = subprocess.run(system.words("heliograph", "share"), capture_output=True, text=True)
        if refused.returncode == 0 or "the package 'heliograph' shares" not in refused.stderr:
            raise Wrong(f"'share' of heliograph-viewer should say which package shares: {refused.stderr}")
        trial.used(host, system, "viewer")
        host.apt("install", f"heliograph-viewer={number}")
        if trial.version(host, "heliograph").startswith("installed"):
            raise Wrong("heliograph-viewer should take heliograph's place.")
        return f"heliograph-viewer {number}: installed, viewed what heliograph shares, took its place"


def app(trial, below, number):
    """heliograph-app: goes with heliograph of its own version, finds its libraries, and leaves no trace."""
    with trial.system("app", below) as system:
        before = files(system)
        system.apt("install", f"heliograph-app={number}", f"heliograph={number}")
        alone = subprocess.run(system.words("dpkg", "--remove", "heliograph"), capture_output=True)
        if alone.returncode == 0:
            raise Wrong("heliograph-app should need heliograph.")
        for name in ("heliograph", "heliograph-app"):
            libraries_are_there(system, f"/usr/bin/{name}")
        system.apt("purge", "heliograph-app", "heliograph")
        compared(before, files(system))
        return f"heliograph-app {number}: installed and purged, with heliograph"


def desktop(trial, archive, below, watching_below, number):
    """The image of a desktop without a screen: started, and viewed."""
    with (chroot.opened(below, trial.scratch / "desktop") as system,
          trial.system("watching", watching_below) as watching):
        image.furnish(system, archive)
        watching.apt("install", f"heliograph={number}")
        link = system.folder / "home/desktop/link"
        words = system.words("heliograph-desktop", "--port", "0", "--web", "0", "--no-discovery",
                             "--link-file", "/home/desktop/link", user=f"{image.USER}:{image.USER}",
                             home="/home/desktop", SIZE="1200x900")
        with running("desktop", words, trial.scratch) as started, screen(trial.scratch, "viewer-screen") as here:
            def written():
                started.check()
                return link.is_file() and link.read_text()
            eventually("the desktop's link", written)
            trial.watch("desktop-view", watching, link.read_text(), here, [((29, 63, 84), lambda: None)])
            sound = subprocess.run(["pgrep", "--count", "--exact", "pulseaudio"], capture_output=True, text=True).stdout
            if sound.strip() != "1":
                raise Wrong(f"the desktop has {sound.strip()} sound servers:\n{started.text()}")
        return "image of a desktop: started, viewed"
