#!/usr/bin/python3
"""A WebRTC peer that no one here wrote, told what to do by lines of JSON: see README.md.

    peer.py aiortc|libwebrtc|gstreamer|chromium [options]
"""

import argparse
import importlib
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# The Python interpreter with the packages that script/install-peers installs.
PYTHON = Path(os.environ.get("HELIO_PEERS", ROOT / ".build" / "webrtc-peers")) / "bin" / "python"

MODULES = {
    "aiortc": "peers.aiortc_peer",
    "libwebrtc": "peers.libwebrtc_peer",
    "gstreamer": "peers.gstreamer_peer",
    "chromium": "peers.chromium",
}


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=list(MODULES))
    parser.add_argument("--role", choices=["offer", "answer"], required=True)
    parser.add_argument("--video", choices=["send", "receive", "none"], default="none")
    parser.add_argument("--sound", choices=["send", "receive", "both", "none"], default="none")
    parser.add_argument("--data", action="store_true", help="as the offerer, has a data channel in its offer")
    parser.add_argument("--codec-profile", default="42e01f", help="of H.264: a profile-level-id, or any")
    parser.add_argument("--mdns", action="store_true", help="chromium: hides its addresses behind names of mDNS")
    parser.add_argument("--legacy-sctp", action="store_true", help="aiortc: offers data channels as its drafts had them")
    return parser.parse_args()


def fail(text):
    print(json.dumps({"type": "error", "text": text}), flush=True)
    sys.exit(1)


def main():
    chosen = options()
    if chosen.kind == "libwebrtc" and Path(sys.prefix) != PYTHON.parents[1]:
        if not PYTHON.exists():
            fail("no libwebrtc here: run script/install-peers")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    try:
        run = importlib.import_module(MODULES[chosen.kind]).run
    except (ImportError, ValueError) as error:
        fail(f"{chosen.kind} can't be loaded ({error}): run script/install-packages and script/install-peers")
    run(chosen)


if __name__ == "__main__":
    main()
