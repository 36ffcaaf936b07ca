"""Debian's Chromium without a screen. The page (chromium.html) is the peer; here are only its lines, in and out."""

import asyncio
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from .session import say

_PAGE = Path(__file__).with_name("chromium.html")
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-sync",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--remote-debugging-pipe",
]
_LINE_LIMIT = 1 << 24
_PR_SET_PDEATHSIG = 1
# Seconds a browser takes to start on a busy machine.
_PATIENCE = 40


class Browser:
    """Chromium's DevTools over a pair of pipes: JSON, each ended by a zero byte. Nothing listens on a port."""

    def __init__(self, mdns):
        self.profile = tempfile.mkdtemp(prefix="helio-chromium-")
        self.answers = {}
        self.next = 0
        self.session = None
        self.events = {}
        program = shutil.which("chromium")
        if not program:
            raise RuntimeError("no Chromium here: run script/install-packages")
        disabled = "Translate,MediaRouter" + ("" if mdns else ",WebRtcHideLocalIpsWithMdns")
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()

        def child():
            # Descriptors 3 and 4 are Chromium's choice; either of ours may have one of these numbers.
            high = [os.dup(to_browser), os.dup(from_browser)]
            high = [fd if fd > 4 else os.dup(os.dup(os.dup(fd))) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            # Linux ends it with this process, however that ends.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

        self.process = subprocess.Popen(
            [program, *_FLAGS, f"--disable-features={disabled}", f"--user-data-dir={self.profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=child,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)

    async def connect(self):
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_LINE_LIMIT)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(self.reading, "rb"))
        self.listener = loop.create_task(self.listen(reader))
        targets = (await self.ask("Target.getTargets"))["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = await self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]

    async def listen(self, reader):
        while True:
            try:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
            except asyncio.IncompleteReadError:
                for answer in self.answers.values():
                    answer.set_exception(RuntimeError("Chromium ended"))
                self.answers.clear()
                self.events.get("ended", lambda _: None)({})
                return
            if "id" in message:
                answer = self.answers.pop(message["id"], None)
                if answer and "error" in message:
                    answer.set_exception(RuntimeError(message["error"]["message"]))
                elif answer:
                    answer.set_result(message["result"])
            elif message["method"] in self.events:
                self.events[message["method"]](message["params"])

    def ask(self, method, **parameters):
        self.next += 1
        request = {"id": self.next, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        answer = self.answers[self.next] = asyncio.get_running_loop().create_future()
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data) :]
        return asyncio.wait_for(answer, _PATIENCE)

    async def evaluate(self, script, wait=False):
        result = await self.ask("Runtime.evaluate", expression=script, awaitPromise=wait, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def end(self):
        # Its helpers are in a group of their own: all of it ends, at once.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


async def drive(options, browser):
    loop = asyncio.get_running_loop()
    commands = asyncio.StreamReader(limit=_LINE_LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    loop.add_signal_handler(signal.SIGTERM, commands.feed_eof)
    failure = loop.create_future()

    def told(parameters):
        line = json.loads(parameters["payload"])
        say(line)
        if line["type"] == "error" and not failure.done():
            failure.set_result(1)

    await browser.connect()
    loaded = loop.create_future()
    browser.events = {
        "Runtime.bindingCalled": told,
        "Page.loadEventFired": lambda _: loaded.done() or loaded.set_result(None),
        "ended": lambda _: failure.done() or failure.set_exception(RuntimeError("Chromium ended")),
    }
    await browser.ask("Page.enable")
    await browser.ask("Runtime.enable")
    await browser.ask("Runtime.addBinding", name="tell")
    await browser.ask("Page.navigate", url=_PAGE.as_uri())
    await asyncio.wait_for(loaded, _PATIENCE)
    chosen = {
        "role": options.role,
        "video": options.video,
        "data": options.data,
        "codecProfile": options.codec_profile.lower(),
    }
    await browser.evaluate(f"options = {json.dumps(chosen)}; 0")
    while True:
        reading = loop.create_task(commands.readline())
        await asyncio.wait([reading, failure], return_when=asyncio.FIRST_COMPLETED)
        if failure.done():
            return failure.result()
        line = reading.result()
        if not line.strip():
            if commands.at_eof():
                break
            continue
        message = json.loads(line)
        if message["type"] == "stop":
            break
        await browser.evaluate(f"command({json.dumps(message)})")
    await browser.evaluate("stop()", wait=True)
    return 0


def run(options):
    browser = None
    try:
        browser = Browser(options.mdns)
        status = asyncio.run(drive(options, browser))
    except Exception as error:
        say({"type": "error", "text": f"{type(error).__name__}: {error}"})
        status = 1
    finally:
        if browser:
            browser.end()
    os._exit(status)
