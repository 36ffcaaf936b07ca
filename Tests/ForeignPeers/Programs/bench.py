#!/usr/bin/python3
"""What aiortc and libwebrtc do on this machine: two peers in one process, on its own addresses. JSON comes out.

    bench.py aiortc|libwebrtc [--seconds 3] [--connections 20]

Handshakes: from the first line of code to an open channel at both ends, one after the other. Memory: what the process
grows by while the connections stay, divided among their peers; the first, which loads what all use, doesn't count.
Throughput: one ordered, reliable channel, in one direction, after half a second to warm up; processor time is of both
peers together.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from pathlib import Path

from peer import PYTHON

SIZES = [1024, 16 * 1024, 64 * 1024]
HIGH, LOW = 1 << 20, 1 << 18
WARM_UP = 0.5


def resident():
    """Bytes of this process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class AIORTC:
    low_name = "bufferedAmountLowThreshold"

    def __init__(self):
        import aiortc

        self.module = aiortc
        self.version = aiortc.__version__

    async def connect(self):
        """Two peers, and the two ends of their channel, open."""
        a, b = self.module.RTCPeerConnection(), self.module.RTCPeerConnection()
        arrived = asyncio.get_running_loop().create_future()
        b.on("datachannel", arrived.set_result)
        channel = a.createDataChannel("bench")
        is_open = asyncio.Event()
        channel.on("open", is_open.set)
        await a.setLocalDescription(await a.createOffer())
        await b.setRemoteDescription(a.localDescription)
        await b.setLocalDescription(await b.createAnswer())
        await a.setRemoteDescription(b.localDescription)
        other = await arrived
        await is_open.wait()
        return a, b, channel, other

    def on_message(self, channel, received):
        channel.on("message", received)

    def buffered(self, channel):
        return channel.bufferedAmount

    async def close(self, peer):
        await peer.close()


class LibWebRTC:
    low_name = "buffered_amount_low_threshold"

    def __init__(self):
        import importlib.metadata

        import webrtc

        self.module = webrtc
        self.version = f"wrtc {importlib.metadata.version('wrtc')}"

    async def connect(self):
        a, b = self.module.RTCPeerConnection(), self.module.RTCPeerConnection()
        waiting = []

        def hand_on(to):
            async def candidate(event):
                if to.remote_description is None:
                    waiting.append((to, event.candidate))
                elif event.candidate:
                    await to.add_ice_candidate(event.candidate)

            return candidate

        a.on("icecandidate", hand_on(b))
        b.on("icecandidate", hand_on(a))
        arrived = asyncio.get_running_loop().create_future()
        b.on("datachannel", lambda event: arrived.set_result(event.channel))
        channel = a.create_data_channel("bench")
        is_open = asyncio.Event()
        channel.on("open", lambda _: is_open.set())
        await a.set_local_description(await a.create_offer())
        await b.set_remote_description(a.local_description)
        await b.set_local_description(await b.create_answer())
        await a.set_remote_description(b.local_description)
        for to, candidate in waiting:
            if candidate:
                await to.add_ice_candidate(candidate)
        other = await arrived
        await is_open.wait()
        other.binary_type = "arraybuffer"
        return a, b, channel, other

    def on_message(self, channel, received):
        channel.on("message", lambda event: received(event.data))

    def buffered(self, channel):
        return channel.buffered_amount

    async def close(self, peer):
        peer.close()


async def throughput(stack, size, seconds):
    a, b, channel, other = await stack.connect()
    count = 0

    def received(data):
        nonlocal count
        assert len(data) == size
        count += 1

    stack.on_message(other, received)
    low = asyncio.Event()
    setattr(channel, stack.low_name, LOW)
    channel.on("bufferedamountlow", lambda *_: low.set())
    message = bytes(size)

    async def send():
        while True:
            low.clear()
            while stack.buffered(channel) < HIGH:
                channel.send(message)
            await low.wait()

    sending = asyncio.create_task(send())
    await asyncio.sleep(WARM_UP)
    before, began, processor = count, time.monotonic(), time.process_time()
    await asyncio.sleep(seconds)
    done, took, processor = count - before, time.monotonic() - began, time.process_time() - processor
    if sending.done():
        sending.result()
    sending.cancel()
    for peer in (a, b):
        await stack.close(peer)
    return {
        "bytes": size,
        "messagesPerSecond": round(done / took),
        "megabitsPerSecond": round(done * size * 8 / took / 1e6, 1),
        "megabitsPerProcessorSecond": round(done * size * 8 / processor / 1e6, 1),
    }


async def measure(stack, seconds, connections):
    kept, times = [], []
    kept.append(await stack.connect())
    before = resident()
    for _ in range(connections):
        began = time.monotonic()
        kept.append(await stack.connect())
        times.append(time.monotonic() - began)
    grown = resident() - before
    for a, b, _, _ in kept:
        await stack.close(a)
        await stack.close(b)
    return {
        "version": stack.version,
        "connections": connections,
        "handshakeMilliseconds": {
            "median": round(statistics.median(times) * 1000, 1),
            "maximum": round(max(times) * 1000, 1),
        },
        "kibibytesPerPeer": round(grown / 1024 / (2 * connections)),
        "channels": [await throughput(stack, size, seconds) for size in SIZES],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["aiortc", "libwebrtc"])
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--connections", type=int, default=20)
    chosen = parser.parse_args()
    if chosen.kind == "libwebrtc" and Path(sys.prefix) != PYTHON.parents[1]:
        if not PYTHON.exists():
            sys.exit("no libwebrtc here: run script/install-peers")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    stack = AIORTC() if chosen.kind == "aiortc" else LibWebRTC()
    result = asyncio.run(measure(stack, chosen.seconds, chosen.connections))
    print(json.dumps({"stack": chosen.kind, **result}, indent=2), flush=True)
    # Exit at once: waiting for the stack's threads would delay it.
    os._exit(0)


if __name__ == "__main__":
    main()
