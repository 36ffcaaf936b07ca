"""Makes the pictures of the desktop's app, for docs/images: light, dark and narrow, in English and German.

    dbus-run-session -- python3 script/app/screens.py APP FOLDER

$DISPLAY has no window manager. FOLDER gets the pictures, and a home for the app while they are made.
"""
import json
import os
import shutil
import subprocess
import sys

from driver import App

HOSTS = [("Studio", "192.0.2.7:7236"), ("Attic", "192.0.2.9:7236")]
WORDS = {
    "en": {"share": "Share", "this": "Share this machine", "nobody": "Nobody watches", "recent": "Recent"},
    "de": {"share": "Teilen", "this": "Diesen Rechner teilen", "nobody": "Niemand sieht zu", "recent": "Zuletzt"},
}


def picture(name, width, height):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-draw_mouse", "0", "-video_size", f"{width}x{height}",
         "-i", os.environ["DISPLAY"], "-frames:v", "1", name], check=True)


def make(program, folder, name, language, scheme, width, height, shares):
    home = folder + "/home"
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home + "/config/heliograph")
    recent = [{"name": n, "address": a, "usedAt": 1} for n, a in HOSTS]
    with open(home + "/config/heliograph/app.json", "w") as file:
        # No sound, and no announcement: what is missing on the machine that makes the pictures is no part of them.
        json.dump({"viewer.recentHosts": json.dumps(recent), "host.sharesSound": "0", "host.announces": "0"}, file)
    app = App(program, {
        "HOME": home, "HELIOGRAPH_HOME": home + "/heliograph", "XDG_CONFIG_HOME": home + "/config",
        "LC_ALL": "C.UTF-8", "LANGUAGE": language, "ADW_DEBUG_COLOR_SCHEME": f"prefer-{scheme}"})
    try:
        words = WORDS[language]
        subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "^Heliograph$", "windowmove", "0", "0",
                        "windowsize", "--sync", str(width), str(height)], check=True)
        app.see(words["recent"])
        if shares:
            app.press(words["share"], "page tab")
            app.toggle(words["this"], True)
            app.see("heliograph://")
            app.see(words["nobody"])
        # The page's and the switch's movements take 200 ms each.
        app.wait("the end of movements", lambda: subprocess.run(["sleep", "0.6"]))
        picture(f"{folder}/{name}.png", width, height)
    finally:
        app.close()
        shutil.rmtree(home, ignore_errors=True)


def main():
    program, folder = sys.argv[1:]
    make(program, folder, "app-connect", "en", "light", 620, 560, False)
    make(program, folder, "app-share", "en", "light", 620, 760, True)
    make(program, folder, "app-share-dark", "en", "dark", 620, 760, True)
    make(program, folder, "app-share-german", "de", "light", 620, 760, True)
    make(program, folder, "app-connect-small", "de", "dark", 360, 560, False)
    make(program, folder, "app-share-small", "en", "light", 360, 760, True)


main()
