"""Debian's Chromium, and what a person does at a page of it."""

import asyncio

from . import devtools
from .devtools import PATIENCE

_BUTTONS = {"none": 0, "left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}
_MODIFIERS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}
_MODIFIER_KEYS = {"Alt": "alt", "Control": "ctrl", "Meta": "meta", "Shift": "shift"}
# Console messages and browser log entries of these levels count as failures.
_BAD_LEVELS = {"error", "assert"}


class ChromiumPerson:
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

    async def evaluate(self, script, patience=PATIENCE):
        return await self.page.evaluate(script, wait=True, patience=patience)

    async def open(self, url):
        await self.page.open(url)

    async def reload(self):
        await self.page.ask("Page.reload")

    async def before(self, script):
        await self.page.ask("Page.addScriptToEvaluateOnNewDocument", source=script)

    async def front(self):
        await self.page.ask("Page.bringToFront")

    async def close(self):
        await self.page.close()

    async def mouse(self, kind, x, y, button="none", clicks=1, dx=0, dy=0, pointer="mouse"):
        """pointer: or "pen"."""
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
            pointerType=pointer,
        )

    async def key(self, kind, code, key, number=0, location=0, repeat=False):
        held = _MODIFIERS.get(_MODIFIER_KEYS.get(key), 0)
        self.modifiers = self.modifiers | held if kind == "down" else self.modifiers & ~held
        # With Ctrl, Alt or Meta the key is a command and inserts no text.
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

    async def touch(self, kind, points, time=None):
        """points: those that go down or move; of `up`, only their ids count. time: seconds since 1970; else it is now."""
        for point in points:
            if kind == "up":
                self.touches.pop(point["id"], None)
            else:
                self.touches[point["id"]] = {"x": point["x"], "y": point["y"], "id": point["id"]}
        types = {"down": "touchStart", "move": "touchMove", "up": "touchEnd", "cancel": "touchCancel"}
        # The end of one of several touches is reported as a move of the remaining ones.
        if kind == "up" and self.touches:
            types["up"] = "touchMove"
        if kind == "cancel":
            self.touches.clear()
        when = {"timestamp": time} if time else {}
        touches = list(self.touches.values())
        await self.page.ask("Input.dispatchTouchEvent", type=types[kind], touchPoints=touches, **when)

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

    async def text(self, text):
        await self.page.ask("Input.insertText", text=text)

    async def compose(self, text):
        length = len(text)
        await self.page.ask("Input.imeSetComposition", text=text, selectionStart=length, selectionEnd=length)

    async def png(self, part):
        """The page as it is seen, or a part of it; base64."""
        clip = {"clip": {**part, "scale": 1}} if part else {}
        return (await self.page.ask("Page.captureScreenshot", format="png", **clip))["data"]


class Browser(devtools.Browser):
    """As a person uses it."""

    def __init__(self, mdns=False, autoplay=False):
        policy = "no-user-gesture-required" if autoplay else "document-user-activation-required"
        super().__init__(mdns, loopback=True, flags=[f"--autoplay-policy={policy}"])

    async def first_person(self):
        return await self._person(await self.connect())

    async def new_person(self, context, window):
        return await self._person(await self.new_page(context, window))

    async def _person(self, page):
        person = ChromiumPerson(page)
        await person.prepare()
        return person

    async def version(self):
        return (await self.ask("Browser.getVersion"))["product"]
