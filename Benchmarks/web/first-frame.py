#!/usr/bin/python3
"""How long from a page's load to the first picture of the host's screen, beside Selkies in one run.

    first-frame.py [--heliograph PROGRAM] [--selkies PROGRAM] [--rounds 10] [--json]

Each host shares an X server of its own, which shows one color. Each load is of a person whom the browser does not know:
nothing is in its cache. The time is the page's own, from the start of its navigation to the first frame of the page in
which a video or canvas of it has that color in its middle: the same for both, whatever they draw with. Rounds go round
the hosts, so that a slow minute of the machine hits all alike.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "ForeignPeers" / "Programs"))

from peers.devtools import Browser  # noqa: E402

SIZE = (1280, 720)
COLOR = (0xC0, 0x30, 0x60)
# Seconds.
PATIENCE = 30

# Looks at each frame of the page, from before its first script on.
WATCH = """
globalThis.firstPicture = new Promise((tell) => {
    const eye = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    const isIt = (element) => {
        const width = element.videoWidth ?? element.width, height = element.videoHeight ?? element.height;
        if (!width || !height) return false;
        try {
            eye.clearRect(0, 0, 1, 1);
            eye.drawImage(element, width / 2, height / 2, 1, 1, 0, 0, 1, 1);
            return [...eye.getImageData(0, 0, 1, 1).data.slice(0, 3)].every((value, i) => Math.abs(value - %s[i]) < 12);
        } catch {
            return false;
        }
    };
    const look = () => {
        if ([...document.querySelectorAll("video, canvas")].some(isIt)) tell(performance.now());
        else requestAnimationFrame(look);
    };
    look();
});
""" % json.dumps(COLOR)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Desktop:
    """An X server of its own that shows the color."""

    def __init__(self):
        reading, writing = os.pipe()
        screen = f"{SIZE[0]}x{SIZE[1]}x24"
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{number.readline().strip()}"
        color = "#%02x%02x%02x" % COLOR
        subprocess.run(["xsetroot", "-display", self.display, "-solid", color], check=True)

    def close(self):
        self.process.kill()
        self.process.wait()


class Host:
    def __init__(self, arguments, desktop, folder):
        self.folder = Path(folder)
        environment = {**os.environ, "DISPLAY": desktop.display, "HOME": folder, "HELIOGRAPH_HOME": f"{folder}/host"}
        self.log = open(self.folder / "log", "w+b")
        self.process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=True,
        )  # fmt: skip

    def wait(self, is_ready):
        end = time.monotonic() + PATIENCE
        while not is_ready():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{self.process.args[0]} does not start:\n{self.said()}")
            time.sleep(0.05)

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Heliograph(Host):
    name = "Heliograph"

    def __init__(self, program, desktop, folder):
        port = free_port()
        self.link = Path(folder) / "link"
        self.last = ""
        super().__init__(
            [
                program, "share", "--address", "127.0.0.1", "--port", "0", "--web", str(port),
                "--web-link-file", str(self.link),
            ],
            desktop,
            folder,
        )  # fmt: skip
        self.wait(self.link.exists)

    def url(self):
        """Each link lets one viewer in; then there is a new one."""
        self.wait(lambda: self.link.read_text().strip() not in ("", self.last))
        self.last = self.link.read_text().strip()
        return self.last


class Selkies(Host):
    name = "Selkies"

    def __init__(self, program, desktop, folder):
        self.port = free_port()
        options = {
            "addr": "127.0.0.1", "port": self.port, "mode": "websockets", "framerate": 60, "encoder": "h264enc",
            "rate-control-mode": "crf", "video-crf": 23,
        }  # fmt: skip
        off = "enable-basic-auth audio-enabled microphone-enabled gamepad-enabled webcam-enabled enable-resize"
        arguments = [f"--{name}={value}" for name, value in options.items()]
        super().__init__([program, *arguments, *(f"--{name}=false" for name in off.split())], desktop, folder)
        self.wait(self.answers)

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def url(self):
        return f"http://127.0.0.1:{self.port}/"


async def measure(browser, url):
    """Milliseconds."""
    page = await browser.new_page(await browser.new_context())
    await page.ask(
        "Emulation.setDeviceMetricsOverride", width=SIZE[0], height=SIZE[1], deviceScaleFactor=1, mobile=False
    )
    await page.ask("Page.enable")
    await page.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    await page.open(url)
    taken = await page.evaluate("firstPicture", wait=True, patience=PATIENCE)
    await page.close()
    return taken


async def rounds(browser, hosts, count):
    await browser.connect()
    taken = {host.name: [] for host in hosts}
    # The first of each warms the browser and the host, and does not count.
    for number in range(count + 1):
        for host in hosts:
            try:
                milliseconds = await measure(browser, host.url())
            except (RuntimeError, asyncio.TimeoutError) as error:
                raise SystemExit(f"{host.name}: no picture: {error!r}; it said:\n{host.said()}")
            if number:
                taken[host.name].append(milliseconds)
    return taken


def summary(values):
    ordered = sorted(values)
    # The nearest rank: of ten, the tenth.
    p95 = ordered[min(len(ordered) - 1, -(-len(ordered) * 95 // 100) - 1)]
    return {"p50": round(statistics.median(ordered), 1), "p95": round(p95, 1), "all": [round(each, 1) for each in values]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heliograph", default=str(ROOT / ".build" / "release" / "heliograph"))
    parser.add_argument("--selkies", help="its program; without it, Heliograph is measured alone")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for program in filter(None, [options.heliograph, options.selkies]):
        if not os.access(program, os.X_OK):
            parser.error(f"no program {program}")
    made, browser = [], None
    try:
        kinds = [(Heliograph, options.heliograph)] + ([(Selkies, options.selkies)] if options.selkies else [])
        hosts = []
        for kind, program in kinds:
            folder = tempfile.mkdtemp(prefix="helio-first-frame-")
            desktop = Desktop()
            made.append((folder, desktop, None))
            host = kind(program, desktop, folder)
            made[-1] = (folder, desktop, host)
            hosts.append(host)
        browser = Browser(loopback=True)
        taken = {name: summary(each) for name, each in asyncio.run(rounds(browser, hosts, options.rounds)).items()}
    finally:
        if browser:
            browser.end()
        for folder, desktop, host in made:
            if host:
                host.close()
            desktop.close()
            shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps(taken))
        return
    print("| from page load to first picture, ms | p50 | p95 |\n| --- | --- | --- |")
    for name, each in taken.items():
        print(f"| {name} | {each['p50']} | {each['p95']} |")


if __name__ == "__main__":
    main()
