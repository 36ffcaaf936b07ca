#!/usr/bin/python3
"""Shares the fake phone by the real `heliograph share --android` to the window and to Chromium: script/check-android.

    viewers.py PROGRAM SERVER FOLDER [CHECK...]

FOLDER holds the fake phone's folder `phone` and the programs of a phone, `bin`. Says a line for each check.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pictures
from fingers import ten_fingers
from meeting import IN_STEP, MEET
from phones import two_phones, unauthorised
from world import PATIENCE, Browser, Host, Phone, Program, Screen, until

SERIAL = "127.0.0.1:5555"
TALL, WIDE = (384, 640), (640, 384)
# The least likeness of a known picture in dB. A wrong matrix gives less than 25.
LIKENESS = 34.0


class Check:
    """What checks share."""

    def __init__(self, program, server, folder):
        self.program, self.server, self.folder = program, server, Path(folder)
        self.phone = Phone(self.folder / "phone")
        self.scratch = Path(tempfile.mkdtemp(dir=folder))
        self.screen = Screen(self.scratch)
        self.open_browser = None

    @property
    def browser(self):
        if not self.open_browser:
            self.open_browser = Browser()
        return self.open_browser

    def close(self):
        if self.open_browser:
            self.open_browser.close()
        self.screen.close()

    def prepare(self, matrix="709", codec="avc", sizes=(TALL,), **files):
        for path in self.phone.folder.iterdir():
            path.unlink()
        for size in sizes:
            pictures.code(self.phone.folder, *size, codec, matrix)
        self.phone.set("display", f"{TALL[0]} {TALL[1]} 0")
        for name, text in files.items():
            self.phone.set(name, text)

    @contextlib.contextmanager
    def host(self, *options, serial=SERIAL):
        host = Host(self.program, self.server, self.scratch, serial, *options)
        try:
            yield host
        except Exception as error:
            raise RuntimeError(f"{error}; the host said: {host.said()[-2000:]}") from error
        finally:
            host.close()

    @contextlib.contextmanager
    def window(self, host, *options):
        link = self.scratch / "link"
        link.write_text(host.link())
        link.chmod(0o600)
        home = tempfile.mkdtemp(dir=self.scratch)
        arguments = [self.program, "view", "--link-file", link, "--fullscreen", "--scale", "1:1", "--sound", "off", *options]
        window = Program(
            arguments, home, "window", DISPLAY=self.screen.display, HELIOGRAPH_HOME=home, SDL_AUDIODRIVER="dummy")
        try:
            yield window
        except Exception as error:
            raise RuntimeError(f"{error}; the window said: {window.said()[-2000:]}") from error
        finally:
            window.close()

    def seen(self, size, least=LIKENESS):
        """Waits until the window shows the known picture; gives its likeness and the seconds."""
        best = 0.0

        def look():
            nonlocal best
            best = max(best, pictures.likeness(self.screen.middle(*size), *size))
            return best if best >= least else None

        try:
            return until(look, "")
        except RuntimeError:
            raise RuntimeError(f"the window's picture has {best:.1f} dB, not {least}") from None

    def page(self, host, size=TALL, before="", asked=""):
        """A page that shows a picture of this size, and its seconds from opening. asked: of the address, "?picture=own"."""
        link = host.link("web").replace("#", f"{asked}#")
        began = time.monotonic()
        page = self.browser.page(link, before)
        page.wait_for_picture(*size)
        return page, time.monotonic() - began

    def seen_by(self, page, size, least=LIKENESS):
        best = 0.0

        def look():
            nonlocal best
            best = max(best, pictures.likeness(page.picture(self.scratch), *size))
            return best if best >= least else None

        try:
            return until(look, "", 10)[0]
        except RuntimeError:
            raise RuntimeError(f"Chromium's picture has {best:.1f} dB, not {least}") from None

    def moves(self, page):
        """Waits until two pictures of a page differ below."""

        def bottom():
            shown = page.picture(self.scratch)
            return shown[pictures.still_rows(shown.shape[0]) :].tobytes()

        before = bottom()
        return until(lambda: bottom() != before, "a page's picture moves")[1]


def known_pictures(check, codec, matrix):
    """Both viewers show what was drawn; a newcomer has its keyframe by a request; it can be turned."""
    check.prepare(matrix, codec, (TALL, WIDE))
    with check.host("--codec", "h265" if codec == "hevc" else "h264") as host, check.window(host):
        decibels, seconds = check.seen(TALL)
        said = f"window {decibels:.1f} dB, {seconds:.1f} s after its start"
        if codec == "avc":
            asked = len(check.phone.events())
            page, seconds = check.page(host)
            check.phone.wait_for("parameters {request-sync", asked)
            said += f"; Chromium {check.seen_by(page, TALL):.1f} dB, a newcomer, {seconds:.1f} s"
            page.close()
        began = time.monotonic()
        check.phone.set("display", f"{WIDE[0]} {WIDE[1]} 1")
        decibels, _ = check.seen(WIDE)
        return f"{said}; turned {decibels:.1f} dB after {time.monotonic() - began:.1f} s"


def refusing(check):
    """An encoder that refuses twice is told other settings, and the picture comes; then a newcomer on a still screen.

    The phone has Android 12, where the screen is captured and the panel is switched in another way."""
    check.prepare(refuse="2", version="31")
    with check.host("--codec", "h264", "--android-screen-off") as host, check.window(host):
        decibels, seconds = check.seen(TALL)
        configured = sum(event.startswith("configure") for event in check.phone.events())
        if configured < 3:
            raise RuntimeError(f"only {configured} configurations")
        said = f"{decibels:.1f} dB after {configured} configurations, {seconds:.1f} s"
        check.phone.set("still")
        time.sleep(0.5)
        page, seconds = check.page(host)
        said += f"; on a still screen a newcomer has {check.seen_by(page, TALL):.1f} dB after {seconds:.1f} s"
        page.close()
        check.phone.wait_for(f"projection {TALL[0]}x{TALL[1]} to {TALL[0]}x{TALL[1]}")
        dark = check.phone.wait_for("panel 0")
    check.phone.wait_for("panel 2", dark)
    return said


def losses(check, start_adbd):
    """The server on the phone is killed, then adbd: the viewers stay, and the picture goes on."""
    check.prepare(sizes=(TALL, WIDE))
    with check.host("--codec", "h264") as host, check.window(host) as window:
        check.seen(TALL)
        page, _ = check.page(host)
        said = []
        for what, kill in (("server", check.phone.kill_server), ("adbd", lambda: restart(start_adbd))):
            events, began = len(check.phone.events()), time.monotonic()
            kill()
            check.phone.wait_for("configure", events, 60)
            check.moves(page)
            said.append(f"{what} killed: on after {time.monotonic() - began:.1f} s")
        # The window goes on, too: it sees the phone turn.
        check.phone.set("display", f"{WIDE[0]} {WIDE[1]} 1")
        check.seen(WIDE)
        if window.process.poll() is not None:
            raise RuntimeError("the window has ended")
        page.close()
        return "; ".join(said)


def restart(start_adbd):
    """adbd is gone for three seconds."""
    for path in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            command = (path.parent / "cmdline").read_bytes()
            if command.split(b"\0")[0].endswith((b"/adbd", b"adbd")) or b"/adbd\0" in command:
                os.kill(int(path.parent.name), signal.SIGKILL)
    time.sleep(3)
    start_adbd()
    # A phone on Wi-Fi is connected again by whoever uses it.
    until(lambda: "connected" in subprocess.run(["adb", "connect", SERIAL], capture_output=True, text=True).stdout, "adbd")


def input_and_clipboard(check):
    """Fingers, buttons, the wheel, keys, text and the clipboard, from the window and from Chromium."""
    check.prepare()
    phone, screen = check.phone, check.screen
    left, top = (screen.size[0] - TALL[0]) // 2, (screen.size[1] - TALL[1]) // 2
    with check.host("--codec", "h264") as host, check.window(host):
        check.seen(TALL)
        screen.do("mousemove", left + 100, top + 200)
        # Control follows the picture: the first clicks may come too early.
        until(lambda: screen.do("click", 1) or any(e.startswith("touch 1") for e in phone.events()), "control")
        since = len(phone.events())
        screen.do("mousemove", left + 40, top + 300, "mousedown", 1, "mousemove", left + 60, top + 340, "mouseup", 1)
        touched = phone.wait_for("touch 0 0:40,30", since)
        phone.wait_for("touch 2 0:60,34", touched)
        phone.wait_for("touch 1 0:60,34", touched)
        screen.do("click", 3)
        phone.wait_for("key down 4 ", since)
        screen.do("click", 4)
        phone.wait_for("scroll 0:", since)
        screen.do("key", "a")
        phone.wait_for("key down 29 ", since)
        screen.do("type", "\u00e4")
        phone.wait_for("clipboard \u00e4", since)
        copy = subprocess.Popen(
            ["xclip", "-selection", "clipboard", "-loops", "0"], stdin=subprocess.PIPE,
            env={**os.environ, "DISPLAY": screen.display},
        )  # fmt: skip
        copy.communicate("from the viewer".encode())
        phone.wait_for("clipboard from the viewer", since)
        phone.set("copy", "from the phone")
        paste = ["xclip", "-selection", "clipboard", "-o"]
        until(
            lambda: "from the phone" in subprocess.run(
                paste, capture_output=True, text=True, env={**os.environ, "DISPLAY": screen.display}).stdout,
            "the phone's text at the viewer",
        )  # fmt: skip
    phone.set("version", "33")
    with check.host("--codec", "h264") as host:
        page, _ = check.page(host)
        page.until("!['\u2026', 'Watching'].includes(document.querySelector('#driver').textContent)")
        since = len(phone.events())
        page.click(0.25, 0.5)
        phone.wait_for("touch 0 0:96,320", since)
        page.ask("key", kind="down", code="KeyB", key="b", number=66)
        page.ask("key", kind="up", code="KeyB", key="b", number=66)
        phone.wait_for("key down 30 ", since)
        page.close()
    return "touches where they should be, Back, wheel, keys, text, the clipboard both ways; Chromium, and Android 13: a touch, a key"


def sound_in_step(check):
    """A flash and a tone at one instant of the phone are seen and heard so in Chromium, whose own decoders keep them so."""
    check.prepare(beats="")
    with check.host("--codec", "h264") as host:
        page, _ = check.page(host, before=IN_STEP + MEET, asked="?picture=video")
        page.until("!['\u2026', 'Watching'].includes(document.querySelector('#driver').textContent)")
        page.click(0.5, 0.9)
        box = [place / size for place, size in zip(pictures.flash_box(*TALL), [*TALL, *TALL])]
        told = page.ask("evaluate", script=f"meet({box}, 8)", patience=PATIENCE + 10)
        page.close()
    met = told["met"]
    if len(met) < 3:
        raise RuntimeError(f"too few flashes with a tone: {told}")
    middle = sorted(met)[len(met) // 2]
    # A busy machine makes sound late; another clock would be off by seconds.
    if abs(middle) > 350:
        raise RuntimeError(f"sound is {middle:.0f} ms behind its picture: {met}")
    return f"sound {middle:+.0f} ms against its picture (middle of {len(met)})"


def lateness(check):
    """The time from a picture's way out of the phone's encoder to its pixels in Chromium's page."""
    check.prepare()
    with check.host("--codec", "h264", "--sound", "off") as host:
        page, _ = check.page(host)
        page.ask("evaluate", script=MEET)
        box = [place / size for place, size in zip(pictures.flash_box(*TALL), [*TALL, *TALL])]
        seen = page.ask("evaluate", script=f"see({box}, 8)", patience=PATIENCE + 10)
        page.close()
    given = [float(event.split()[1]) for event in check.phone.events() if event.startswith("flash ")]
    late = sorted(at - max((one for one in given if one <= at), default=0) for at in seen)
    if len(late) < 5:
        raise RuntimeError(f"only {len(late)} flashes were seen")
    if late[len(late) // 2] > 500:
        raise RuntimeError(f"pictures come late: {late}")
    return f"{late[len(late) // 2]:.0f} ms from the encoder to the page (middle of {len(late)}, most {late[-1]:.0f})"


def long_run(check):
    """Memory and processor share of the host, over HELIO_ANDROID_SECONDS with a window that watches: 20 unless told.

    HELIO_ANDROID_SHARE is the most processor share, in percent of a core."""
    seconds = int(os.environ.get("HELIO_ANDROID_SECONDS", "20"))
    check.prepare()
    with check.host("--codec", "h264") as host, check.window(host):
        check.seen(TALL)
        time.sleep(5)
        memory, used, began = host.resident(), host.seconds_used(), time.monotonic()
        time.sleep(seconds)
        share = (host.seconds_used() - used) / (time.monotonic() - began) * 100
        growth = host.resident() - memory
    if growth > 4096:
        raise RuntimeError(f"the host grew by {growth} kB in {seconds} s")
    most = float(os.environ.get("HELIO_ANDROID_SHARE", "100"))
    if share > most:
        raise RuntimeError(f"the host takes {share:.1f} % of a core, more than {most:g} %")
    return f"{growth:+d} kB and {share:.1f} % of a core in {seconds} s of 30 pictures a second"


def main():
    program, server, folder, *wanted = sys.argv[1:]
    adbd = os.environ.get("ADBD", "adbd").split()

    def start_adbd():
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        with open(f"{folder}/adbd.log", "ab") as log:
            subprocess.Popen(adbd, env=environment, stdout=log, stderr=log, start_new_session=True)

    checks = {
        "H.264, BT.709": lambda check: known_pictures(check, "avc", "709"),
        "H.264, BT.601": lambda check: known_pictures(check, "avc", "601"),
        "H.265, BT.709": lambda check: known_pictures(check, "hevc", "709"),
        "H.265, BT.601": lambda check: known_pictures(check, "hevc", "601"),
        "Android 12, an encoder that refuses twice": refusing,
        "two phones": lambda check: two_phones(check, SERIAL),
        "an unauthorised phone": unauthorised,
        "losses": lambda check: losses(check, start_adbd),
        "input": input_and_clipboard,
        "ten fingers": lambda check: ten_fingers(check, SERIAL),
        "sound": sound_in_step,
        "lateness": lateness,
        "a long run": long_run,
    }
    failures = 0
    check = Check(program, server, folder)
    try:
        for name, run in checks.items():
            if wanted and not any(word in name for word in wanted):
                continue
            began = time.monotonic()
            try:
                print(f"ok: {name}: {run(check)} [{time.monotonic() - began:.0f} s]", flush=True)
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                failures += 1
                print(f"{name}: {error}", flush=True)
    finally:
        check.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
