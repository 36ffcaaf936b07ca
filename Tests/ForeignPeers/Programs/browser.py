#!/usr/bin/python3
"""A browser with any number of pages, told what a person does by lines of JSON: see README.md.

    browser.py [--mdns]
"""

import argparse
import asyncio
import base64
import json
import os
import signal
import sys

from peers.devtools import Browser, Failure
from peers.session import say

_LINE_LIMIT = 1 << 24
# Milliseconds between two looks at what is waited for.
_LOOK = 15
_BUTTONS = {"none": 0, "left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_MODIFIERS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}
_MODIFIER_KEYS = {"Alt": "alt", "Control": "ctrl", "Meta": "meta", "Shift": "shift"}
# What a page says to whoever develops it, and what the browser says about it.
_BAD_LEVELS = {"error", "assert"}

# Gives what `look` first gives that is true, `null` when the time is up. The page may be replaced meanwhile.
_UNTIL = """new Promise((tell) => {
    const end = performance.now() + %d;
    const again = async () => {
        let found;
        try { found = await (async () => (%s))(); } catch (error) { if (performance.now() >= end) found = undefined; }
        if (found || performance.now() >= end) tell(found ? {found} : null); else setTimeout(again, %d);
    };
    again();
})"""

# The pixels of a video, an image or a canvas as a person would see them there, at its own size.
_PIXELS = """((element) => {
    const width = element.videoWidth ?? element.naturalWidth ?? element.width;
    const height = element.videoHeight ?? element.naturalHeight ?? element.height;
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d");
    context.drawImage(element, 0, 0);
    const bytes = new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return {width, height, rgba: btoa(text)};
})"""


class Person:
    """One page, and what a person does at it."""

    def __init__(self, page):
        self.page = page
        self.buttons = 0
        self.modifiers = 0
        self.touches = {}
        self.problems = []

    async def prepare(self):
        self.page.events.update(
            {
                "Runtime.exceptionThrown": self._thrown,
                "Runtime.consoleAPICalled": self._said,
                "Log.entryAdded": self._noted,
                "Page.javascriptDialogOpening": lambda _: asyncio.ensure_future(
                    self.page.ask("Page.handleJavaScriptDialog", accept=True)
                ),
            }
        )
        await self.page.enable("Page", "Runtime", "Log")

    def _thrown(self, parameters):
        details = parameters["exceptionDetails"]
        self.problems.append(details.get("exception", {}).get("description") or details["text"])

    def _said(self, parameters):
        if parameters["type"] in _BAD_LEVELS:
            said = [str(each.get("value", each.get("description"))) for each in parameters["args"]]
            self.problems.append("console: " + " ".join(said))

    def _noted(self, parameters):
        entry = parameters["entry"]
        if entry["level"] in _BAD_LEVELS:
            self.problems.append(f"{entry['source']}: {entry['text']} ({entry.get('url', '')})")

    async def until(self, look, seconds):
        """What `look` first gives that is true, also of a page that comes in place of this one."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            left = max(0, end - loop.time())
            try:
                script = _UNTIL % (int(left * 1000), look, _LOOK)
                found = await self.page.evaluate(script, wait=True, patience=left + 20)
            except (Failure, RuntimeError) as error:
                if self.page.browser.has_ended or not _is_gone(error) or left == 0:
                    raise
                await asyncio.sleep(_LOOK / 1000)
                continue
            if found is None:
                raise RuntimeError(f"not within {seconds} s: {look}")
            return found["found"]

    async def mouse(self, kind, x, y, button="none", clicks=1, dx=0, dy=0):
        if kind == "down":
            self.buttons |= _BUTTONS[button]
        elif kind == "up":
            self.buttons &= ~_BUTTONS[button]
        elif button == "none" and self.buttons:
            # Moves with a button down are drags.
            button = next(name for name, bit in _BUTTONS.items() if bit & self.buttons)
        types = {"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased", "wheel": "mouseWheel"}
        await self.page.ask(
            "Input.dispatchMouseEvent",
            type=types[kind],
            x=x,
            y=y,
            button=button,
            buttons=self.buttons,
            clickCount=clicks if kind in ("down", "up") else 0,
            deltaX=dx,
            deltaY=dy,
            modifiers=self.modifiers,
            pointerType="mouse",
        )

    async def key(self, kind, code, key, number=0, location=0, repeat=False):
        held = _MODIFIERS.get(_MODIFIER_KEYS.get(key), 0)
        self.modifiers = self.modifiers | held if kind == "down" else self.modifiers & ~held
        # With Ctrl, Alt or Meta it is a command and writes nothing.
        writes = len(key) == 1 and not self.modifiers & 7
        event = {"text": key} if kind == "down" and writes else {}
        if kind == "down" and key == "Enter":
            event = {"text": "\r"}
        await self.page.ask(
            "Input.dispatchKeyEvent",
            type="keyUp" if kind == "up" else "keyDown" if event else "rawKeyDown",
            code=code,
            key=key,
            windowsVirtualKeyCode=number,
            location=location,
            autoRepeat=repeat,
            modifiers=self.modifiers,
            **event,
        )

    async def touch(self, kind, points):
        """points: those that go down or move; of `up`, only their ids count."""
        for point in points:
            if kind == "up":
                self.touches.pop(point["id"], None)
            else:
                self.touches[point["id"]] = {"x": point["x"], "y": point["y"], "id": point["id"]}
        types = {"down": "touchStart", "move": "touchMove", "up": "touchEnd", "cancel": "touchCancel"}
        # The end of one of several is told by those that are left.
        if kind == "up" and self.touches:
            types["up"] = "touchMove"
        if kind == "cancel":
            self.touches.clear()
        await self.page.ask("Input.dispatchTouchEvent", type=types[kind], touchPoints=list(self.touches.values()))

    async def look(self, width=None, height=None, scale=1, mobile=False, touch=False, dark=None, still=None):
        if width:
            await self.page.ask(
                "Emulation.setDeviceMetricsOverride",
                width=width,
                height=height,
                deviceScaleFactor=scale,
                mobile=mobile,
            )
        await self.page.ask("Emulation.setTouchEmulationEnabled", enabled=touch, maxTouchPoints=5 if touch else 1)
        features = []
        if dark is not None:
            features.append({"name": "prefers-color-scheme", "value": "dark" if dark else "light"})
        if still is not None:
            features.append({"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"})
        await self.page.ask("Emulation.setEmulatedMedia", features=features)

    async def picture(self, file, selector):
        """The pixels of an element as red, green, blue and alpha, row by row."""
        pixels = await self.page.evaluate(f"{_PIXELS}(document.querySelector({json.dumps(selector)}))")
        return _keep(pixels, file)

    async def screenshot(self, file, blank):
        png = (await self.page.ask("Page.captureScreenshot", format="png"))["data"]
        if file.endswith(".png"):
            with open(file, "wb") as output:
                output.write(base64.b64decode(png))
            return None
        # The browser can read its own pictures.
        script = f"""(async () => {{
            const image = new Image();
            image.src = "data:image/png;base64,{png}";
            await image.decode();
            return {_PIXELS}(image);
        }})()"""
        return _keep(await blank.evaluate(script, wait=True), file)


def _keep(pixels, file):
    with open(file, "wb") as output:
        output.write(base64.b64decode(pixels["rgba"]))
    return {"width": pixels["width"], "height": pixels["height"]}


def _is_gone(error):
    """A page that a script ran in was replaced by another."""
    text = str(error)
    return any(part in text for part in ("navigated or closed", "context was destroyed", "Cannot find context"))


class Driver:
    def __init__(self, browser):
        self.browser = browser
        self.people = {}
        self.contexts = {}
        self.next = 0

    async def page(self, context=None, tab=False, **looks):
        """A new one; those of a context share what the browser keeps for them. tab: it covers the newest of these."""
        if context and context not in self.contexts:
            self.contexts[context] = await self.browser.new_context()
        person = Person(await self.browser.new_page(self.contexts.get(context), window=not tab))
        await person.prepare()
        if looks:
            await person.look(**looks)
        self.next += 1
        self.people[self.next] = person
        return self.next

    async def do(self, what, page=None, **rest):
        if what == "page":
            return await self.page(**rest)
        if what == "version":
            return (await self.browser.ask("Browser.getVersion"))["product"]
        person = self.people[page]
        tools = person.page
        match what:
            case "open":
                return await tools.open(rest["url"])
            case "reload":
                return await tools.ask("Page.reload")
            case "evaluate":
                return await tools.evaluate(rest["script"], wait=True)
            case "until":
                return await person.until(rest["script"], rest["seconds"])
            case "before":
                # In each page that comes from now on, before any script of its own.
                return (await tools.ask("Page.addScriptToEvaluateOnNewDocument", source=rest["script"]))["identifier"]
            case "look":
                return await person.look(**rest)
            case "front":
                return await tools.ask("Page.bringToFront")
            case "mouse":
                return await person.mouse(**rest)
            case "key":
                return await person.key(**rest)
            case "text":
                return await tools.ask("Input.insertText", text=rest["text"])
            case "compose":
                length = len(rest["text"])
                return await tools.ask(
                    "Input.imeSetComposition", text=rest["text"], selectionStart=length, selectionEnd=length
                )
            case "touch":
                return await person.touch(**rest)
            case "picture":
                return await person.picture(**rest)
            case "screenshot":
                return await person.screenshot(rest["file"], self.blank)
            case "problems":
                problems, person.problems = person.problems, []
                return problems
            case "close":
                del self.people[page]
                return await tools.close()
        raise ValueError(f"no command '{what}'")

    async def run(self):
        loop = asyncio.get_running_loop()
        commands = asyncio.StreamReader(limit=_LINE_LIMIT)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        loop.add_signal_handler(signal.SIGTERM, commands.feed_eof)
        self.blank = await self.browser.connect()
        say({"ready": await self.do("version")})
        while line := await commands.readline():
            command = json.loads(line)
            try:
                say({"value": await self.do(command.pop("do"), **command)})
            except Exception as error:
                say({"error": f"{type(error).__name__}: {error}"})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mdns", action="store_true", help="hides its addresses behind names of mDNS, as for users")
    options = parser.parse_args()
    browser = None
    try:
        browser = Browser(options.mdns)
        asyncio.run(Driver(browser).run())
        status = 0
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
        status = 1
    finally:
        if browser:
            browser.end()
    os._exit(status)


if __name__ == "__main__":
    main()
