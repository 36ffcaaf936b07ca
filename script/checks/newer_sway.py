"""The steps of script/check-newer-sway: shares a session of sway that already runs, and watches it."""

import json
import os
import subprocess
import sys
import threading
import time

PROGRAM, SCRATCH = sys.argv[1:3]
ROOT = os.environ["HELIO_NEWER_SWAY_ROOT"]
SESSION = os.environ["HELIO_NEWER_SWAY_SESSION"]
# The longest wait for anything.
PATIENCE = 30


def inside(*command, **options):
    """Runs a program of the unpacked system in its session."""
    environment = {
        "PATH": "/usr/bin:/usr/sbin", "XDG_RUNTIME_DIR": "/run/session", "HOME": "/run/session",
        "SWAYSOCK": "/run/session/control", "WAYLAND_DISPLAY": "wayland-1", "LC_ALL": "C.UTF-8",
    }
    return subprocess.run(
        ["/usr/sbin/chroot", "--userspec=65534:65534", ROOT, *command], env=environment, check=True, timeout=PATIENCE,
        **options)


def order(*words):
    inside("/usr/bin/swaymsg", "--", *words, stdout=subprocess.DEVNULL)


class Running:
    """A program whose lines are kept."""

    def __init__(self, name, command, environment):
        self.lines = []
        self.name = name
        self.process = subprocess.Popen(
            command, env=os.environ | environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def text(self):
        return "".join(self.lines)

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def wait(what, holds, *shown):
    until = time.monotonic() + PATIENCE
    while True:
        if result := holds():
            print(f"ok: {what}", flush=True)
            return result
        if time.monotonic() > until:
            tails = "".join(f"\n--- {program.name}\n" + "".join(program.lines[-15:]) for program in shown)
            sys.exit(f"check-newer-sway: not so: {what}{tails}")
        time.sleep(0.05)


def main():
    socket = SESSION + "/wayland-1"
    wait("sway has its socket", lambda: os.path.exists(socket))
    quiet = {"PULSE_SERVER": "unix:/nonexistent"}
    wayland = quiet | {
        "WAYLAND_DISPLAY": socket, "XDG_RUNTIME_DIR": SESSION, "XDG_SESSION_TYPE": "wayland", "DISPLAY": "",
        "XDG_CURRENT_DESKTOP": "sway", "HELIOGRAPH_HOME": SCRATCH + "/host", "DBUS_SESSION_BUS_ADDRESS": "",
    }
    listed = subprocess.run(
        [PROGRAM, "share", "--list", "--verbose"], env=os.environ | wayland, capture_output=True, text=True,
        timeout=PATIENCE).stdout
    for part in ("capture wlr: usable", "global: ext_image_copy_capture_manager_v1 1", "output: HEADLESS-1, mode 640x400"):
        wait(f"--list --verbose has '{part}'", lambda part=part: part in listed)

    number = SCRATCH + "/number"
    with open(number, "w") as file:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset"], stdout=file,
            stderr=subprocess.DEVNULL)
    wait("an X server for the viewer", lambda: open(number).read().strip())
    display = ":" + open(number).read().strip()

    host = Running(
        "host",
        [PROGRAM, "share", "--capture", "wlr", "--address", "127.0.0.1", "--port", "0", "--no-discovery", "--web", "off",
         "--link-file", SCRATCH + "/link"], wayland)
    wait("it is shared", lambda: "--code" in host.text(), host)
    wait("the pointer is not in the picture", lambda: "the pointer is a part" not in host.text(), host)
    viewer = Running(
        "viewer",
        [PROGRAM, "view", "--link-file", SCRATCH + "/link", "--fullscreen", "--stats", "--stats-interval", "0.2"],
        quiet | {"DISPLAY": display, "SDL_VIDEODRIVER": "x11", "WAYLAND_DISPLAY": "", "HELIOGRAPH_HOME": SCRATCH + "/viewer"})

    def stats():
        lines = [line for line in viewer.lines if line.startswith("{") and "framesPerSecond" in line]
        return json.loads(lines[-1]) if lines else {"frames": 0, "width": 0, "height": 0, "packets": 0, "time": 0}

    def rest():
        begin = [stats()]

        def is_still():
            now = stats()
            if now["packets"] != begin[0]["packets"]:
                begin[0] = now
            return now["time"] - begin[0]["time"] >= 2

        wait("nothing is sent while nothing changes", is_still, host, viewer)
        return stats()

    wait("a picture comes", lambda: stats()["frames"] > 0, host, viewer)
    before = rest()
    order("output", "HEADLESS-1", "bg", "#ff0000", "solid_color")
    wait("a change is seen", lambda: stats()["frames"] > before["frames"], host, viewer)
    rest()
    for words, size in (
        (("mode", "800x600"), (800, 600)), (("transform", "90"), (600, 800)), (("transform", "180"), (800, 600)),
        (("transform", "normal", "scale", "1.5", "mode", "501x333"), (502, 334)), (("scale", "1", "mode", "640x400"), (640, 400)),
    ):
        order("output", "HEADLESS-1", *words)
        wait(f"{' '.join(words)}: the picture has {size}", lambda: (stats()["width"], stats()["height"]) == size, host, viewer)
    rest()
    order("create_output")
    order("output", "HEADLESS-2", "mode", "320x240")
    order("output", "HEADLESS-1", "power", "off")
    order("output", "HEADLESS-1", "bg", "#00ff00", "solid_color")
    dark = stats()
    order("output", "HEADLESS-1", "power", "on")
    wait("off and on again", lambda: stats()["frames"] > dark["frames"], host, viewer)
    order("output", "HEADLESS-1", "disable")
    wait("the other output is shown", lambda: stats()["width"] == 320, host, viewer)
    order("output", "HEADLESS-1", "enable")
    order("output", "HEADLESS-2", "unplug")
    wait("the first output is shown again", lambda: stats()["width"] == 640, host, viewer)

    rest()
    for program in (viewer, host):
        program.end()
    server.terminate()
    server.wait(PATIENCE)
    print("All of it holds.")


main()
