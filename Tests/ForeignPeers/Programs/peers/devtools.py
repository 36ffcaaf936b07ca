"""Debian's Chromium without a screen, told what to do by its DevTools protocol."""

import asyncio
import ctypes
import json
import os
import shutil
import signal
import subprocess
import tempfile

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
    # The tests' hosts have self-signed certificates.
    "--ignore-certificate-errors",
    "--remote-debugging-pipe",
]
_MESSAGE_LIMIT = 1 << 27
_PR_SET_PDEATHSIG = 1
# The seconds that a browser may take to start on a busy machine.
PATIENCE = 40


class Failure(RuntimeError):
    """What Chromium says that it can't do."""


class Browser:
    """A Chromium of its own, with a profile of its own. DevTools go over a pair of pipes: JSON, each ended by a zero
    byte. Nothing listens on a port."""

    def __init__(self, mdns=False, loopback=False, flags=()):
        """mdns: hides its addresses behind names of mDNS, as browsers do from pages that have no microphone.
        loopback: a machine that has no other network will do."""
        self.profile = tempfile.mkdtemp(prefix="helio-chromium-")
        self.answers = {}
        self.next = 0
        # Pages by session identifier; `None` is the browser's own session.
        self.pages = {}
        self.on_end = lambda: None
        self.has_ended = False
        program = shutil.which("chromium")
        if not program:
            raise RuntimeError("no Chromium here: run script/install-packages")
        disabled = "Translate,MediaRouter,WebUIOmniboxPopup,WebUIOmniboxAimPopup" + ("" if mdns else ",WebRtcHideLocalIpsWithMdns")
        more = [*flags, *(["--allow-loopback-in-peer-connection"] if loopback else [])]
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()

        def child():
            # Chromium uses descriptors 3 and 4; either of ours may have one of these numbers.
            high = [os.dup(to_browser), os.dup(from_browser)]
            high = [fd if fd > 4 else os.dup(os.dup(os.dup(fd))) for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            # Linux kills the browser when this process ends for any reason.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

        self.process = subprocess.Popen(
            [program, *_FLAGS, *more, f"--disable-features={disabled}", f"--user-data-dir={self.profile}", "about:blank"],
            # Temporary files are deleted together with the profile.
            env={**os.environ, "TMPDIR": self.profile},
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
        """Gives the page that it starts with."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=_MESSAGE_LIMIT)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(self.reading, "rb"))
        self.listener = loop.create_task(self._listen(reader))
        targets = (await self.ask("Target.getTargets"))["targetInfos"]
        return await self._attach(next(target for target in targets if target["type"] == "page")["targetId"])

    async def new_context(self):
        """A person of its own: no cookie and no storage is shared with the others."""
        return (await self.ask("Target.createBrowserContext"))["browserContextId"]

    async def end_context(self, context):
        """Closes its pages, without a question from any, and forgets all that it kept."""
        await self.ask("Target.disposeBrowserContext", browserContextId=context)

    async def new_page(self, context=None, window=True):
        """window: of its own, as a page behind another is not drawn."""
        where = {"browserContextId": context} if context else {}
        made = await self.ask("Target.createTarget", url="about:blank", newWindow=window, **where)
        return await self._attach(made["targetId"])

    async def _attach(self, target):
        session = (await self.ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        self.pages[session] = page = Page(self, target, session)
        return page

    async def _listen(self, reader):
        while True:
            try:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
            except asyncio.IncompleteReadError:
                return self._ended()
            if "id" in message:
                answer = self.answers.pop(message["id"], None)
                if not answer or answer.done():
                    continue
                if "error" in message:
                    answer.set_exception(Failure(message["error"]["message"]))
                else:
                    answer.set_result(message["result"])
                continue
            page = self.pages.get(message.get("sessionId"))
            if page and message["method"] in page.events:
                page.events[message["method"]](message["params"])

    def _ended(self):
        self.has_ended = True
        for answer in self.answers.values():
            if not answer.done():
                answer.set_exception(RuntimeError("Chromium ended"))
        self.answers.clear()
        self.on_end()

    def ask(self, method, session=None, patience=PATIENCE, **parameters):
        self.next += 1
        request = {"id": self.next, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        answer = self.answers[self.next] = asyncio.get_running_loop().create_future()
        if self.has_ended:
            answer.set_exception(RuntimeError("Chromium ended"))
        data = b"" if self.has_ended else json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data) :]
        return asyncio.wait_for(answer, patience)

    def end(self):
        # The browser and its helpers share a process group, which is killed at once.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    def __init__(self, browser, target, session):
        self.browser = browser
        self.target = target
        self.session = session
        # Event handlers by the event's method; each is called with the event's parameters.
        self.events = {}

    def ask(self, method, **parameters):
        return self.browser.ask(method, session=self.session, **parameters)

    async def enable(self, *domains):
        for domain in domains:
            await self.ask(f"{domain}.enable")

    async def evaluate(self, script, wait=False, patience=PATIENCE):
        """wait: for the promise that the script gives."""
        result = await self.ask(
            "Runtime.evaluate", patience=patience, expression=script, awaitPromise=wait, returnByValue=True
        )
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    async def open(self, url):
        """Returns when all of it is there."""
        await self.ask("Page.enable")
        loaded = asyncio.get_running_loop().create_future()
        self.events["Page.loadEventFired"] = lambda _: loaded.done() or loaded.set_result(None)
        problem = (await self.ask("Page.navigate", url=url)).get("errorText")
        if problem:
            raise Failure(f"{url}: {problem}")
        await asyncio.wait_for(loaded, PATIENCE)

    async def close(self):
        self.browser.pages.pop(self.session, None)
        await self.browser.ask("Target.closeTarget", targetId=self.target)
