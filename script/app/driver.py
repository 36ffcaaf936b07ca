"""Drives the desktop's app as a screen reader does, by AT-SPI: what it can't reach here, nobody can who does not see."""
import os
import subprocess
import time

import pyatspi

PATIENCE = 20.0


class Missing(Exception):
    pass


class App:
    """The app, started in this process's session; it ends with `close`."""

    def __init__(self, program, environment=None):
        self.program = program
        self.process = subprocess.Popen([program], env={**os.environ, **(environment or {})})
        self.root = None
        self.root = self.wait("the app's window", self._find)

    def _find(self):
        return next((
            a for a in pyatspi.Registry.getDesktop(0)
            if a and a.get_process_id() == self.process.pid and len(a) > 0), None)

    def wait(self, what, find, patience=PATIENCE):
        """Returns the first true result of `find`. AT-SPI does not signal all changes, so it is asked again."""
        end = time.monotonic() + patience
        while True:
            try:
                found = find()
            except Exception:  # An element may vanish while it is read.
                found = None
            if found:
                return found
            if self.process.poll() is not None:
                raise Missing(f"{what}: the app has ended with {self.process.returncode}")
            if time.monotonic() > end:
                raise Missing(f"{what} never came; there are: {self.texts()}")
            time.sleep(0.05)

    def all(self, parent=None):
        """The elements of all windows that are shown, from top to bottom."""
        for child in parent or self.root or []:
            if child is None:
                continue
            states = child.getState()
            if states.contains(pyatspi.STATE_VISIBLE):
                yield child
                yield from self.all(child)

    def texts(self):
        return [e.name for e in self.all() if e.getRoleName() == "label" and e.name]

    def find(self, name, role, patience=PATIENCE):
        return self.wait(f"{role} '{name}'", lambda: next(
            (e for e in self.all() if e.name == name and e.getRoleName() == role), None), patience)

    def see(self, text, patience=PATIENCE):
        """Waits for a text that contains `text`, and returns it whole."""
        return self.wait(f"the text '{text}'", lambda: next((t for t in self.texts() if text in t), None), patience)

    def gone(self, text):
        self.wait(f"that '{text}' is gone", lambda: not any(text in t for t in self.texts()))

    def press(self, name, role="push button"):
        self.find(name, role).queryAction().doAction(0)

    def toggle(self, name, on):
        switch = self.find(name, "check box")
        if switch.getState().contains(pyatspi.STATE_CHECKED) != on:
            switch.queryAction().doAction(0)

    def write(self, name, text):
        self.find(name, "text").queryEditableText().setTextContents(text)

    def minimize(self):
        self.press("Minimize")
        self.wait("the end of the window's focus", lambda: not self.is_active())

    def start_again(self):
        """Starts the program once more, which brings the first instance's window to the front."""
        subprocess.run([self.program], check=True, timeout=PATIENCE)
        self.wait("the window's focus", self.is_active)

    def is_active(self):
        return any(w.getState().contains(pyatspi.STATE_ACTIVE) for w in self.root)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
