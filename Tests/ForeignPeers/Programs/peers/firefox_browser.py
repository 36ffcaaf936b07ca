"""Debian's Firefox without a screen, and what a person does at a page of it: WebDriver BiDi, which is built in."""

import asyncio
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .devtools import PATIENCE, Failure
from .web_socket import WebSocket

_PREFERENCES = {
    "media.autoplay.default": 0,
    "media.peerconnection.ice.loopback": True,
    # Firefox's own H.264 for WebRTC is a download that tests can't have; these preferences select
    # FFmpeg.
    "media.webrtc.hw.h264.enabled": True,
    "media.navigator.mediadatadecoder_h264_enabled": True,
    "gfx.blacklist.webrtc.hw.acceleration.h264": 1,
    "gfx.blacklist.webrtc.hw.acceleration.decode": 1,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "data:,",
    "media.gmp-manager.updateEnabled": False,
    "media.gmp-manager.url": "data:,",
    "browser.shell.checkDefaultBrowser": False,
    # For a screenshot Firefox asks the worker that draws a canvas, and the two can block each other, by default for 10 s.
    # After this time the screenshot comes without the canvas, and the tests take another one.
    "gfx.offscreencanvas.snapshot-timeout-ms": 250,
}
_BUTTONS = {"left": 0, "middle": 1, "right": 2, "back": 3, "forward": 4}
# WebDriver's code points of keys that insert no text.
_KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "F5": "\ue035",
    "Meta": "\ue03d",
}
_PR_SET_PDEATHSIG = 1


def _value(remote):
    """What a value of the page is here."""
    kind, value = remote["type"], remote.get("value")
    if kind in ("array", "set"):
        return [_value(each) for each in value]
    if kind in ("object", "map"):
        return {name if isinstance(name, str) else _value(name): _value(each) for name, each in value or []}
    return value


class FirefoxPerson:
    def __init__(self, browser, context):
        self.browser = browser
        self.context = context
        self.problems = []

    def ask(self, method, **parameters):
        return self.browser.ask(method, context=self.context, **parameters)

    async def evaluate(self, script, patience=PATIENCE):
        said = await self.browser.ask(
            "script.evaluate",
            patience=patience,
            expression=script,
            target={"context": self.context},
            awaitPromise=True,
            serializationOptions={"maxObjectDepth": None},
        )
        if said["type"] == "exception":
            raise RuntimeError(said["exceptionDetails"]["text"])
        return _value(said["result"])

    async def open(self, url):
        await self.ask("browsingContext.navigate", url=url, wait="complete")

    async def reload(self):
        await self.ask("browsingContext.reload", wait="none")

    async def before(self, script):
        await self.browser.ask(
            "script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self.context]
        )

    async def look(self, width=None, height=None, scale=1, mobile=False, touch=False, dark=None, still=None):
        if mobile or touch or dark or still:
            raise RuntimeError("Firefox is no phone here")
        if width:
            viewport = {"width": width, "height": height}
            await self.ask("browsingContext.setViewport", viewport=viewport, devicePixelRatio=scale)

    async def front(self):
        await self.ask("browsingContext.activate")

    async def close(self):
        self.browser.people.pop(self.context, None)
        await self.ask("browsingContext.close")

    async def _act(self, source, kind, *actions, **parameters):
        # A source keeps its pressed keys and buttons from one call to the next.
        one = {"type": kind, "id": source, "actions": list(actions), **parameters}
        await self.ask("input.performActions", actions=[one])

    async def mouse(self, kind, x, y, button="left", clicks=1, dx=0, dy=0, pointer="mouse"):
        if kind == "wheel":
            action = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": round(dx), "deltaY": round(dy)}
            return await self._act("wheel", "wheel", action)
        action = {"type": "pointerMove", "x": x, "y": y}
        if kind != "move":
            action = {"type": "pointerDown" if kind == "down" else "pointerUp", "button": _BUTTONS[button]}
        await self._act("mouse", "pointer", action, parameters={"pointerType": pointer})

    async def key(self, kind, code, key, number=0, location=0, repeat=False):
        await self._act("keyboard", "key", {"type": "keyDown" if kind == "down" else "keyUp", "value": _KEYS.get(key, key)})

    async def text(self, text):
        """As a keyboard that has all of these characters."""
        actions = [{"type": kind, "value": each} for each in text for kind in ("keyDown", "keyUp")]
        await self._act("keyboard", "key", *actions)

    async def compose(self, text):
        raise RuntimeError("Firefox has no input method here")

    async def touch(self, kind, points):
        raise RuntimeError("Firefox is no phone here")

    async def png(self, part):
        clip = {"clip": {"type": "box", **part}} if part else {}
        return (await self.ask("browsingContext.captureScreenshot", **clip))["data"]


class Browser:
    """A Firefox of its own, with a profile of its own. Its door is a port of loopback that it chooses."""

    def __init__(self, mdns=False, autoplay=True):
        """autoplay: it does, whatever is said."""
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            raise RuntimeError("no Firefox here: run script/install-packages")
        self.profile = tempfile.mkdtemp(prefix="helio-firefox-")
        preferences = {**_PREFERENCES, "media.peerconnection.ice.obfuscate_host_addresses": mdns}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        Path(self.profile, "user.js").write_text("\n".join(lines))
        self.answers = {}
        self.next = 0
        self.people = {}
        self.has_ended = False

        def child():
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

        arguments = ["--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(
            [program, *arguments, "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=child,
            start_new_session=True,
        )

    async def first_person(self):
        loop = asyncio.get_running_loop()
        errors = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(errors), self.process.stderr)
        self.socket = WebSocket()
        host, port = await asyncio.wait_for(self._door(errors), PATIENCE)
        self.chatter = loop.create_task(self._pass_over(errors))
        await self.socket.connect(host, port, "/session")
        self.listener = loop.create_task(self._listen())
        self.about = (await self.ask("session.new", capabilities={}))["capabilities"]
        await self.ask("session.subscribe", events=["log.entryAdded"])
        tree = await self.ask("browsingContext.getTree")
        return self._person(tree["contexts"][0]["context"])

    async def _door(self, errors):
        while line := (await errors.readline()).decode(errors="replace"):
            if found := re.search(r"BiDi listening on ws://([0-9.]+):([0-9]+)", line):
                return found[1], int(found[2])
        raise RuntimeError("Firefox ended")

    async def _pass_over(self, errors):
        while await errors.read(65536):
            pass

    async def new_context(self):
        return (await self.ask("browser.createUserContext"))["userContext"]

    async def end_context(self, context):
        """Closes its pages and forgets all that it kept."""
        await self.ask("browser.removeUserContext", userContext=context)

    async def new_person(self, context, window):
        where = {"userContext": context} if context else {}
        made = await self.ask("browsingContext.create", type="window" if window else "tab", **where)
        return self._person(made["context"])

    def _person(self, context):
        self.people[context] = person = FirefoxPerson(self, context)
        return person

    async def version(self):
        return f"Firefox/{self.about['browserVersion']}"

    async def _listen(self):
        while True:
            try:
                message = json.loads(await self.socket.receive())
            except (asyncio.IncompleteReadError, OSError):
                self.has_ended = True
                for answer in self.answers.values():
                    if not answer.done():
                        answer.set_exception(RuntimeError("Firefox ended"))
                return
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                person = self.people.get(entry["source"].get("context"))
                if person and entry["level"] == "error":
                    person.problems.append(f"{entry['type']}: {entry['text']}")
            answer = self.answers.pop(message.get("id"), None)
            if not answer or answer.done():
                continue
            if message["type"] == "error":
                answer.set_exception(Failure(f"{message['error']}: {message['message']}"))
            else:
                answer.set_result(message["result"])

    def ask(self, method, patience=PATIENCE, **parameters):
        self.next += 1
        answer = self.answers[self.next] = asyncio.get_running_loop().create_future()
        if self.has_ended:
            answer.set_exception(RuntimeError("Firefox ended"))
        else:
            self.socket.send(json.dumps({"id": self.next, "method": method, "params": parameters}))
        return asyncio.wait_for(answer, patience)

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
