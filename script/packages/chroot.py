"""Clean systems of this machine's release in folders: made once, kept outside the tree, and written to by nobody."""
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tree import Wrong, need, output

# Layers that nobody has used for so many days are deleted.
KEPT_DAYS = 14
# A change of how layers are made.
RECIPE = "1"


def place():
    """The folder that has the layers: HELIO_CACHE, else heliograph in the user's cache."""
    told = os.environ.get("HELIO_CACHE")
    return Path(told) if told else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "heliograph"


def release():
    """The code name of this machine's system, whose libraries the packages are for."""
    return re.search(r'^VERSION_CODENAME="?([\w-]+)', Path("/etc/os-release").read_text(), re.M)[1]


def sources():
    """The lines by which apt finds this release's packages, from what apt on this machine is set up with."""
    told = output("apt-get", "indextargets", "--format", "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(SIGNED_BY)|$(ORIGIN)",
                  "Created-By: Packages")
    found = []
    for line in told.splitlines():
        address, suite, component, key, origin = line.split("|")
        if origin in ("Debian", "Ubuntu") and suite.startswith(release()):
            found.append(f"deb {f'[signed-by={key}] ' if key.startswith('/') else ''}{address} {suite} {component}")
    if not found:
        raise Wrong(f"apt knows no packages of {release()} here: run 'apt-get update'.")
    return sorted(set(found))


def first_names(depends):
    """The names in a package's field Depends, of alternatives the first."""
    return sorted({re.match(r"\s*([\w.+-]+)", one)[1] for one in depends.split(",")})


def layer(purpose, packages):
    """The folder of a minimal system with some packages and what they need, which nothing may write to."""
    need("mmdebstrap", "flock")
    lines = sources()
    key = hashlib.sha256("\n".join([RECIPE, *lines, *packages]).encode()).hexdigest()[:16]
    home = place()
    home.mkdir(parents=True, exist_ok=True)
    made = home / f"{purpose}-{key}"
    with open(home / "lock", "w") as lock:
        # Another clone's tests may be making the same.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.is_dir():
            work = home / f"{made.name}.part"
            shutil.rmtree(work, ignore_errors=True)
            output("nice", "mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", "--format=directory",
                   "--dpkgopt=force-unsafe-io", f"--include={','.join(packages)}", release(), work, *lines)
            work.rename(made)
        os.utime(made)
        for old in home.iterdir():
            # The folder may be others' too: only what was made here is deleted.
            is_layer = re.fullmatch(r"[a-z-]+-[0-9a-f]{16}(\.part)?", old.name) and old.is_dir()
            if is_layer and old.stat().st_mtime < time.time() - KEPT_DAYS * 86400:
                shutil.rmtree(old)
    return made


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL)


@contextlib.contextmanager
def opened(below, folder):
    """A system that begins as a layer, in `folder`; what is written goes to memory, and ends with it. Needs root's
    rights, and a mount namespace of one's own."""
    changes = Path(f"{folder}.changes")
    for one in (folder, changes):
        one.mkdir(parents=True)
    run("mount", "-t", "tmpfs", "none", changes)
    for one in ("upper", "work"):
        (changes / one).mkdir()
    run("mount", "-t", "overlay", "none", "-o",
        f"lowerdir={below},upperdir={changes}/upper,workdir={changes}/work", folder)
    run("mount", "-t", "proc", "none", folder / "proc")
    run("mount", "--rbind", "/dev", folder / "dev")
    try:
        yield System(folder)
    finally:
        unmount(folder, changes)


def unmount(folder, changes):
    """Unmounts a system, or ends this program at once: whoever deletes the folder next would delete this machine's
    /dev, which is mounted in it. Ctrl-C waits until that is done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        run("umount", "--recursive", "--lazy", folder)
        run("umount", "--lazy", changes)
    except subprocess.CalledProcessError as error:
        print(f"{folder} can't be unmounted: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


class System:
    """A system in a folder, and commands in it."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def words(self, *words, user="0:0", home="/root", **environment):
        path = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        clean = {"PATH": path, "HOME": home, "LC_ALL": "C.UTF-8", **environment}
        return ["chroot", f"--userspec={user}", str(self.folder), "env", "-i",
                *(f"{name}={value}" for name, value in clean.items()), *(str(word) for word in words)]

    def output(self, *words, **options):
        return output(*self.words(*words, **options))

    def apt(self, *words):
        options = ["-q", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-unsafe-io"]
        return self.output("apt-get", *options, *words, DEBIAN_FRONTEND="noninteractive")

    def only_from(self, packages):
        """Lets apt find packages in a folder of this machine alone."""
        for old in [self.folder / "etc/apt/sources.list", *(self.folder / "etc/apt/sources.list.d").iterdir()]:
            old.unlink(missing_ok=True)
        (self.folder / "packages").mkdir()
        run("mount", "--bind", packages, self.folder / "packages")
        (self.folder / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/packages ./\n")
