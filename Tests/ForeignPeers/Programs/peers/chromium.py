"""Debian's Chromium as a peer. The page (chromium.html) is the peer; here are only its lines, in and out."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from .devtools import Browser
from .session import say

_PAGE = Path(__file__).with_name("chromium.html")
_LINE_LIMIT = 1 << 24


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

    browser.on_end = lambda: failure.done() or failure.set_exception(RuntimeError("Chromium ended"))
    page = await browser.connect()
    page.events["Runtime.bindingCalled"] = told
    await page.enable("Runtime")
    await page.ask("Runtime.addBinding", name="tell")
    await page.open(_PAGE.as_uri())
    chosen = {
        "role": options.role,
        "video": options.video,
        "sound": options.sound,
        "data": options.data,
        "codecProfile": options.codec_profile.lower(),
    }
    await page.evaluate(f"options = {json.dumps(chosen)}; 0")
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
        await page.evaluate(f"command({json.dumps(message)})")
    await page.evaluate("stop()", wait=True)
    return 0


def run(options):
    browser = None
    try:
        browser = Browser(options.mdns, flags=["--autoplay-policy=no-user-gesture-required"])
        status = asyncio.run(drive(options, browser))
    except Exception as error:
        say({"type": "error", "text": f"{type(error).__name__}: {error}"})
        status = 1
    finally:
        if browser:
            browser.end()
    os._exit(status)
