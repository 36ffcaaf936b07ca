#!/usr/bin/python3
"""Our WebRTC stack beside aiortc and libwebrtc, in one run: two peers of each in one process, one after another.

    compare.py [--seconds 3] [--pairs 100]

Needs `swift build -c release` in Benchmarks, python3-aiortc, and script/install-peers. Prints a table; `--json` prints
the lines of the programs, each with its stack's name.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BENCH = HERE.parent / ".build" / "release" / "helio-bench"
PYTHON = Path(os.environ.get("HELIO_PEERS", ROOT / ".build" / "webrtc-peers")) / "bin" / "python"

# A row's name and the unit. Of ours those of the public library, as the others have sockets and an app's callbacks, too.
ROWS = [
    ("handshake, offer to open channel", "ms of a core"),
    ("handshake, offer to open channel", "ms"),
    ("data channel, 1 KiB", "Mbit/s"),
    ("data channel, 16 KiB", "Mbit/s"),
    ("data channel, 256 KiB", "Mbit/s"),
    ("data channel, 32 bytes", "k messages/s"),
    ("data channel, 1024 bytes", "k messages/s"),
    ("round trip of 100 bytes", "us"),
    ("round trip of 100 bytes", "us, 99th of 100"),
    ("memory a connected peer", "KiB resident"),
]


def run(command, stack, prints):
    figures = {}
    try:
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        sys.exit(f"{stack} can't be measured: {error}. See Benchmarks/README.md for what has to be installed.")
    # helio-bench ends with 1 where a budget is not kept: its figures count all the same.
    for line in done.stdout.splitlines():
        row = json.loads(line)
        figures[row["name"].removesuffix(", apps")] = row["figures"]
        if prints:
            print(json.dumps({"stack": stack, **row}), flush=True)
    if not figures:
        sys.exit(f"{stack} can't be measured: its program ended with status {done.returncode}")
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3, help="of sending, for each size of messages")
    parser.add_argument("--pairs", type=int, default=100, help="connections that are held for the figure of memory")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rest = ["--seconds", options.seconds, "--pairs", options.pairs]
    stacks = {
        "Heliograph": [BENCH, "--json", "apps", "21"],
        "aiortc": ["/usr/bin/python3", HERE / "foreign.py", "aiortc", *rest],
        "libwebrtc": [PYTHON, HERE / "foreign.py", "libwebrtc", *rest],
    }
    found = {stack: run(command, stack, options.json) for stack, command in stacks.items()}
    if options.json:
        return
    print(f"{'':36}{'':14}" + "".join(f"{stack:>12}" for stack in stacks))
    for name, unit in ROWS:
        values = [found[stack].get(name, {}).get(unit) for stack in stacks]
        cells = "".join(f"{'-' if value is None else format(value, '.1f'):>12}" for value in values)
        print(f"{name:36}{unit:14}{cells}")


if __name__ == "__main__":
    main()
