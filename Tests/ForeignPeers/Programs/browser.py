#!/usr/bin/python3
"""A browser with any number of pages, told what a person does by lines of JSON: see README.md.

    browser.py chromium|firefox [--mdns] [--autoplay]
"""

import argparse
import asyncio
import base64
import importlib
import json
import os
import signal
import sys

from peers.session import say

_LINE_LIMIT = 1 << 24
# Milliseconds between two evaluations of a condition that is waited for.
_LOOK = 15

# Resolves to the first true result of `look`, or to `null` at the time-out. The page may be
# replaced meanwhile.
_UNTIL = """new Promise((tell) => {
    const end = performance.now() + %d, later = setTimeout.real ?? setTimeout;
    const again = async () => {
        let found;
        try { found = await (async () => (%s))(); } catch (error) { if (performance.now() >= end) found = undefined; }
        if (found || performance.now() >= end) tell(found ? {found} : null); else later(again, %d);
    };
    again();
})"""

# The pixels of a video, an image or a canvas as displayed, at its intrinsic size.
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


# Errors of a page that is being replaced by another one.
_GONE = ("navigated or closed", "context was destroyed", "Cannot find context", "no such frame", "AbortError", "discarded")


class Driver:
    def __init__(self, browser):
        self.browser = browser
        self.people = {}
        self.contexts = {}
        self.next = 0

    async def page(self, context, tab=False, **looks):
        """A new one; those of a context share what the browser keeps for them. tab: it covers the newest of these."""
        if context not in self.contexts:
            self.contexts[context] = await self.browser.new_context()
        person = await self.browser.new_person(self.contexts[context], window=not tab)
        if looks:
            await person.look(**looks)
        self.next += 1
        self.people[self.next] = person
        return self.next

    async def clear(self):
        """All pages are gone, and what the browser kept for them. Their numbers are not used again."""
        contexts, self.contexts = self.contexts, {}
        self.people.clear()
        for context in contexts.values():
            await self.browser.end_context(context)

    async def do(self, what, page=None, **rest):
        if what == "page":
            return await self.page(**rest)
        if what == "clear":
            return await self.clear()
        if what == "version":
            return await self.browser.version()
        person = self.people[page]
        match what:
            case "open" | "reload" | "evaluate" | "before" | "look" | "front" | "mouse" | "key" | "text" | "compose":
                return await getattr(person, what)(**rest)
            case "touch":
                return await person.touch(**rest)
            case "until":
                return await self.until(person, rest["script"], rest["seconds"])
            case "picture":
                script = f"{_PIXELS}(document.querySelector({json.dumps(rest['selector'])}))"
                return _keep(await person.evaluate(script), rest["file"])
            case "screenshot":
                return await self.screenshot(person, **rest)
            case "problems":
                problems, person.problems = person.problems, []
                return problems
            case "close":
                del self.people[page]
                return await person.close()
        raise ValueError(f"no command '{what}'")

    async def until(self, person, look, seconds):
        """What `look` first gives that is true, also of a page that comes in place of this one."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            left = max(0, end - loop.time())
            try:
                found = await person.evaluate(_UNTIL % (int(left * 1000), look, _LOOK), patience=left + 20)
            except RuntimeError as error:
                if self.browser.has_ended or left == 0 or not any(part in str(error) for part in _GONE):
                    raise
                await asyncio.sleep(_LOOK / 1000)
                continue
            if found is None:
                raise RuntimeError(f"not within {seconds} s: {look}")
            return found["found"]

    async def screenshot(self, person, file, **part):
        png = await person.png(part if "width" in part else None)
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
        return _keep(await self.blank.evaluate(script), file)

    async def run(self):
        loop = asyncio.get_running_loop()
        commands = asyncio.StreamReader(limit=_LINE_LIMIT)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        loop.add_signal_handler(signal.SIGTERM, commands.feed_eof)
        self.blank = await self.browser.first_person()
        say({"ready": await self.browser.version()})
        while line := await commands.readline():
            command = json.loads(line)
            try:
                say({"value": await self.do(command.pop("do"), **command)})
            except Exception as error:
                say({"error": f"{type(error).__name__}: {error}"})


def _keep(pixels, file):
    with open(file, "wb") as output:
        output.write(base64.b64decode(pixels["rgba"]))
    return {"width": pixels["width"], "height": pixels["height"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["chromium", "firefox"])
    parser.add_argument("--mdns", action="store_true", help="hides its addresses behind names of mDNS, as for users")
    parser.add_argument("--autoplay", action="store_true", help="plays sound in a page that nobody has touched")
    options = parser.parse_args()
    browser = None
    try:
        browser = importlib.import_module(f"peers.{options.kind}_browser").Browser(options.mdns, options.autoplay)
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
