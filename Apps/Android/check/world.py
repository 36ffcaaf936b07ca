"""What takes part beside the host: the fake phone's folder, adbd, a window on a screen of its own, and a browser."""

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[3]
# Seconds that anything may take on a busy machine.
PATIENCE = 30


def until(look, what, seconds=PATIENCE):
    """What `look` first gives that is true, and after how many seconds."""
    began = time.monotonic()
    while True:
        found = look()
        if found:
            return found, time.monotonic() - began
        if time.monotonic() - began > seconds:
            raise RuntimeError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


class Phone:
    """The fake phone's folder, by which it is driven and tells what it was told."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def set(self, name, text=""):
        # Whole or not at all: the phone may be reading.
        part = self.folder / f".{name}"
        part.write_text(text)
        part.rename(self.folder / name)

    def clear(self, name):
        (self.folder / name).unlink(missing_ok=True)

    def events(self):
        path = self.folder / "events"
        return path.read_text().splitlines() if path.exists() else []

    def wait_for(self, text, since=0, seconds=PATIENCE):
        """Waits for an event that begins so, and gives its number of the list."""

        def look():
            found = [at for at, event in enumerate(self.events()) if at >= since and event.startswith(text)]
            return found and found[0] + 1

        try:
            return until(look, "", seconds)[0]
        except RuntimeError:
            raise RuntimeError(f"the phone was not told '{text}', but {self.events()[since:][-8:]}") from None

    @staticmethod
    def servers():
        """Process identifiers of our server on the phone, in this namespace."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = path.read_bytes()
            except OSError:
                continue
            if b"java\0" in command and b"org.heliograph.phone" in command:
                found.append(int(path.parent.name))
        return found

    def kill_server(self):
        for server in self.servers():
            os.kill(server, signal.SIGKILL)


class Program:
    """A program that writes to a file, and ends with this object's `close`."""

    def __init__(self, arguments, folder, name, **environment):
        self.name = name
        self.output = Path(folder) / f"{name}.log"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [str(each) for each in arguments], stdin=subprocess.PIPE, stdout=output, stderr=output,
                env={**os.environ, **environment}, start_new_session=True,
            )  # fmt: skip

    def said(self):
        return self.output.read_text(errors="replace")

    def wait(self, look, what):
        def alive():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} has ended: {self.said()}")
            return look()

        return until(alive, f"{what}; it said: {self.said()}")

    def seconds_used(self):
        """Processor time so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        """Memory in use, in kilobytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()


class Host(Program):
    """`heliograph share --android`."""

    def __init__(self, program, server, folder, serial, *options):
        self.files = Path(tempfile.mkdtemp(dir=folder))
        self.used = set()
        super().__init__(
            [
                program, "share", "--android", serial, "--android-server", server, "--no-discovery", "--port", "0",
                "--web", "0", "--link-file", self.files / "link", "--web-link-file", self.files / "web", "--stats", *options,
            ],
            self.files, "host", HELIOGRAPH_HOME=str(self.files / "home"),
        )  # fmt: skip

    def link(self, kind="link"):
        """A link that nobody has used; each lets one viewer in."""

        def fresh():
            path = self.files / kind
            text = path.read_text().strip() if path.exists() else ""
            return text if text not in self.used else None

        found = self.wait(lambda: fresh() or None, f"a {kind}")[0]
        self.used.add(found)
        return found

    def statistics(self):
        lines = [line for line in self.said().splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {}


class Screen:
    """An X server with a window manager."""

    def __init__(self, folder, size=(1280, 1280)):
        self.size = size
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{number.readline().strip()}"
        self.manager = Program(["openbox"], folder, "openbox", DISPLAY=self.display)

    def picture(self):
        width, height = self.size
        shot = subprocess.run(
            ["import", "-display", self.display, "-window", "root", "-depth", "8", "rgb:-"], check=True, capture_output=True
        )
        return numpy.frombuffer(shot.stdout, numpy.uint8).reshape(height, width, 3)

    def middle(self, width, height):
        """The part of the screen that a picture of this size in its middle has."""
        left, top = (self.size[0] - width) // 2, (self.size[1] - height) // 2
        return self.picture()[top : top + height, left : left + width]

    def do(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], check=True, env={**os.environ, "DISPLAY": self.display})

    def close(self):
        self.manager.close()
        self.server.terminate()
        self.server.wait()


class Browser:
    """Chromium, told by lines what a person does at its pages: see Tests/ForeignPeers/Programs/browser.py."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", ROOT / "Tests/ForeignPeers/Programs/browser.py", "chromium", "--autoplay"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        if "ready" not in self.process.stdout.readline():
            raise RuntimeError("no browser")

    def ask(self, what, **rest):
        self.process.stdin.write(json.dumps({"do": what, **rest}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def page(self, url, before=""):
        """A page of a person whom the host does not know."""
        number = self.ask("page", context=os.urandom(4).hex(), width=1280, height=1280)
        if before:
            self.ask("before", page=number, script=before)
        self.ask("open", page=number, url=url)
        return Page(self, number)

    def close(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Page:
    SHOWN = "[...document.querySelectorAll('#drawn, #picture')].find((one) => !one.hidden && (one.videoWidth ?? one.width) > 1)"

    def __init__(self, browser, number):
        self.browser = browser
        self.number = number

    def ask(self, what, **rest):
        return self.browser.ask(what, page=self.number, **rest)

    def until(self, script, seconds=PATIENCE):
        return self.ask("until", script=script, seconds=seconds)

    def wait_for_picture(self, width, height, seconds=PATIENCE):
        """Waits until a picture of this size is shown."""
        self.until(
            f"""(() => {{
                const one = {self.SHOWN};
                return one && (one.videoWidth ?? one.width) === {width} && (one.videoHeight ?? one.height) === {height};
            }})()""",
            seconds,
        )

    def picture(self, folder):
        file = Path(folder) / "page.rgba"
        selector = self.ask("evaluate", script=f"'#' + {self.SHOWN}.id")
        size = self.ask("picture", selector=selector, file=str(file))
        return numpy.frombuffer(file.read_bytes(), numpy.uint8).reshape(size["height"], size["width"], 4)

    def frames(self):
        return self.ask("evaluate", script="document.querySelector('#picture').getVideoPlaybackQuality().totalVideoFrames")

    def click(self, x, y, button="left"):
        """x, y: parts of the picture's width and height."""
        box = self.ask("evaluate", script=f"{self.SHOWN}.getBoundingClientRect().toJSON()")
        place = {"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]}
        self.ask("mouse", kind="move", **place)
        for kind in ("down", "up"):
            self.ask("mouse", kind=kind, button=button, **place)

    def close(self):
        self.ask("close")
