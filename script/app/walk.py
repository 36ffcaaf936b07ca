"""Walks through the desktop's app with a real host and a real viewer, and prints each step that held.

    dbus-run-session -- python3 script/app/walk.py APP HELIOGRAPH DISPLAY FOLDER

DISPLAY is a second display, for the host and the viewer that the app meets; $DISPLAY is the app's. FOLDER is an empty
one for homes.
"""
import os
import pty
import re
import subprocess
import sys

from driver import App, Missing, PATIENCE
from notifications import Notifications
from tray import Tray


class Other:
    """The command line on the other display, with a home of its own."""

    def __init__(self, program, display, home):
        self.program = program
        self.running = []
        os.makedirs(home, exist_ok=True)
        self.environment = {**os.environ, "DISPLAY": display, "HOME": home, "HELIOGRAPH_HOME": home + "/heliograph",
                            "SDL_AUDIODRIVER": "dummy"}

    def start(self, *arguments, text=None):
        process = subprocess.Popen(
            [self.program, *arguments], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.running.append(process)
        if text is not None:
            process.stdin.write(text + "\n")
            process.stdin.close()
        return process

    def pair(self, address):
        """Pairs in a terminal; returns it once it shows the digits, and the digits."""
        main, side = pty.openpty()
        process = subprocess.Popen(
            [self.program, "pair", address], env=self.environment, stdin=side, stdout=side, stderr=side,
            start_new_session=True)
        self.running.append(process)
        os.close(side)
        text = ""
        while not (digits := re.search(r"\b(\d{3} \d{3})\b", text)):
            text += os.read(main, 4096).decode(errors="replace")
        return process, main, digits[1]

    def close(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.wait()


def line(process, part):
    """Reads up to the line that contains `part`."""
    for text in process.stdout:
        if part in text:
            return text
    raise Missing(f"a line with '{part}'")


def done(step):
    print(step, flush=True)


def share(app, other):
    app.press("Share", "page tab")
    app.see("Nobody can see this screen.")
    app.toggle("Share this machine", True)
    link = app.see("heliograph://")
    app.see("Nobody watches")
    done("shared")
    viewer = other.start("view", "-", "--close-at-end", text=link)
    app.find("Take control back", "push button")
    switch = next(e for e in app.all() if e.getRoleName() == "check box" and e.name.endswith(" may control"))
    name = switch.name.removesuffix(" may control")
    app.wait("a new link", lambda: any(t.startswith("heliograph://") and t != link for t in app.texts()))
    done("a viewer came by the link, and there is a new one")
    app.toggle(switch.name, False)
    app.see("Watches only")
    line(viewer, "lets you watch only from now on")
    done("the viewer only watches")
    app.press(f"Disconnect {name}")
    app.see("Nobody watches")
    viewer.wait(PATIENCE)
    done("the viewer was disconnected")
    return link


def pair(app, other, link, notifications):
    address = re.match(r"heliograph://([^/]+)/", link)[1]
    # Only what the window does not show needs a notification.
    app.minimize()
    process, terminal, digits = other.pair(address)
    shown = notifications.see("wants to pair", PATIENCE)
    if digits.replace(" ", "") not in shown[2].replace(" ", ""):
        raise Missing(f"{digits} in {shown}")
    # In the window they are read aloud one by one.
    app.see(" ".join(digits.replace(" ", "")))
    notifications.press(shown, "They are the same")
    os.write(terminal, b"y\n")
    if process.wait(PATIENCE) != 0:
        raise Missing(f"pairing ended with {process.returncode}")
    done("a device was paired by digits in a notification")
    app.start_again()
    done("a second start shows the first one's window")


def connect(app, other, folder):
    app.toggle("Share this machine", False)
    app.see("Nobody can see this screen.")
    done("no longer shared")
    app.press("Connect", "page tab")
    app.write("Enter a link, an address or a code", "heliograph://192.0.2.9/#nonsense")
    app.press("Connect")
    app.see("The code is not right: it has 16 letters and digits")
    app.press("Done")
    done("a bad link is told")
    file = folder + "/link"
    host = other.start("share", "--port", "0", "--web", "off", "--no-discovery", "--link-file", file)
    line(host, "Or by the whole link")
    app.write("Enter a link, an address or a code", open(file).read().strip())
    app.press("Connect")
    app.see("Screen of ")
    line(host, "is watching")
    done("connected by a link")
    app.press("Leave")
    line(host, "no longer watches")
    app.see("Recent")
    done("left, and the machine is in the list")
    host.terminate()
    host.wait(PATIENCE)


def tray(app):
    shown = Tray()
    app.toggle("Share this machine", True)
    item = shown.see(PATIENCE)
    if shown.property(item, "Title") != "Heliograph: Nobody watches":
        raise Missing(f"the item's title, not {shown.property(item, 'Title')}")
    app.press("Close")
    app.wait("the end of the window's focus", lambda: not app.is_active())
    shown.activate(item)
    app.wait("the window's focus", app.is_active)
    app.toggle("Share this machine", False)
    app.see("Nobody can see this screen.")
    app.wait("the item's end", lambda: shown.is_gone(item))
    done("a tray's item keeps sharing while the window is closed")


def main():
    program, heliograph, display, folder = sys.argv[1:]
    other = Other(heliograph, display, folder + "/other")
    home = folder + "/app"
    os.makedirs(home, exist_ok=True)
    notifications = Notifications()
    app = App(program, {"HOME": home, "HELIOGRAPH_HOME": home + "/heliograph", "XDG_CONFIG_HOME": home + "/config",
                        "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"})
    try:
        done("opened")
        link = share(app, other)
        pair(app, other, link, notifications)
        connect(app, other, folder)
        app.press("Share", "page tab")
        app.toggle("Start at login", True)
        entry = home + "/config/autostart/org.heliograph.Heliograph.desktop"
        app.wait("the entry for autostart", lambda: os.path.exists(entry))
        done("starts at login")
        app.toggle("Share this machine", True)
        app.see("heliograph://")
        app.press("Close")
        # This is how the dialog of libadwaita 1.2 calls its buttons.
        app.press("Cancel Cancel")
        app.toggle("Share this machine", False)
        app.see("Nobody can see this screen.")
        done("asked before it closed")
        tray(app)
        app.press("Close")
        if app.process.wait(PATIENCE) != 0:
            raise Missing(f"the app ended with {app.process.returncode}")
        done("ended")
    finally:
        app.close()
        other.close()


main()
