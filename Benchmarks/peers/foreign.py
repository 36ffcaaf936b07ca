#!/usr/bin/python3
"""Measures another WebRTC stack as helio-bench measures ours: two of its own peers in one process, on loopback.

    foreign.py aiortc|libwebrtc [--seconds 3] [--pairs 100]

A JSON object a line, in helio-bench's form. All rates are by the time that the whole process had of the cores, its
threads and sockets included: what one core can do. `elapsed` rates are by the clock.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import statistics
import time

# What waits to be sent before more is handed over; with more, aiortc is so busy that its own checks of the path fail.
HIGH = 1 << 18
LOW = 1 << 17


def busy():
    """Seconds of the cores that this process has had."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def tell(name, **figures):
    figures = {key.replace("_per_", "/").replace("_", " "): round(value, 3) for key, value in figures.items()}
    print(json.dumps({"name": name, "figures": figures}), flush=True)


class Pair:
    """Two connections, and one data channel from the first to the second."""

    def __init__(self):
        self.open = asyncio.Event()
        self.low = asyncio.Event()
        self.all = asyncio.Event()
        self.count = 0
        self.goal = 0
        self.channels = []
        self.echo = None

    def received(self, _):
        self.count += 1
        if self.echo:
            self.channels[1].send(self.echo)
        if self.count >= self.goal:
            self.all.set()

    async def stream(self, message, seconds):
        """Sends for so long, then waits until all is there; returns messages and times of the cores and the clock."""
        self.count, self.goal = 0, 1 << 62
        self.all.clear()
        channel = self.channels[0]
        began, used = time.monotonic(), busy()
        sent = 0
        while time.monotonic() - began < seconds:
            while self.buffered(channel) < HIGH and time.monotonic() - began < seconds:
                self.low.clear()
                channel.send(message)
                sent += 1
                # The end that receives lives in this loop, too.
                if sent % 16 == 0:
                    await asyncio.sleep(0)
            await self.room(channel)
        self.goal = sent
        if self.count < sent:
            await asyncio.wait_for(self.all.wait(), 60)
        return sent, busy() - used, time.monotonic() - began

    async def room(self, channel):
        if self.buffered(channel) >= HIGH:
            await asyncio.wait_for(self.low.wait(), 60)


class AioRTC(Pair):
    async def connect(self, has_media):
        from aiortc import RTCPeerConnection

        self.ends = a, b = RTCPeerConnection(), RTCPeerConnection()
        channel = a.createDataChannel("bench")
        channel.bufferedAmountLowThreshold = LOW
        channel.on("bufferedamountlow", self.low.set)
        if has_media:
            a.addTransceiver("video")
        both = asyncio.Event()

        @b.on("datachannel")
        def arrived(other):
            self.channels = [channel, other]
            other.on("message", self.received)
            both.set()

        channel.on("open", self.open.set)
        await a.setLocalDescription(await a.createOffer())
        await b.setRemoteDescription(a.localDescription)
        await b.setLocalDescription(await b.createAnswer())
        await a.setRemoteDescription(b.localDescription)
        await asyncio.wait_for(asyncio.gather(both.wait(), self.open.wait()), 60)

    def buffered(self, channel):
        return channel.bufferedAmount

    async def close(self):
        for end in self.ends:
            await end.close()


class LibWebRTC(Pair):
    async def connect(self, has_media):
        import webrtc

        configuration = webrtc.RTCConfiguration(ice_servers=[], bundle_policy="max-bundle")
        self.ends = a, b = webrtc.RTCPeerConnection(configuration), webrtc.RTCPeerConnection(configuration)
        described = asyncio.Event()
        both = asyncio.Event()
        loop = asyncio.get_running_loop()

        def trickle(other):
            async def add(candidate):
                await described.wait()
                init = webrtc.RTCIceCandidateInit(candidate=candidate.candidate, sdp_mid=candidate.sdp_mid)
                await other.add_ice_candidate(init)

            def found(event):
                if event.candidate:
                    loop.create_task(add(event.candidate))

            return found

        a.on("icecandidate", trickle(b))
        b.on("icecandidate", trickle(a))
        channel = a.create_data_channel("bench", webrtc.RTCDataChannelInit())
        channel.binary_type = "arraybuffer"
        channel.buffered_amount_low_threshold = LOW
        channel.on("bufferedamountlow", lambda _: self.low.set())
        channel.on("open", lambda _: self.open.set())
        if has_media:
            a.add_transceiver("video")

        def arrived(event):
            event.channel.binary_type = "arraybuffer"
            event.channel.on("message", self.received)
            self.channels = [channel, event.channel]
            both.set()

        b.on("datachannel", arrived)

        def plain(description):
            kind = str(getattr(description.type, "value", description.type))
            return webrtc.RTCSessionDescriptionInit(type=kind, sdp=description.sdp)

        offer = await a.create_offer()
        await a.set_local_description(offer)
        await b.set_remote_description(plain(offer))
        answer = await b.create_answer()
        await b.set_local_description(answer)
        await a.set_remote_description(plain(answer))
        described.set()
        await asyncio.wait_for(asyncio.gather(both.wait(), self.open.wait()), 60)

    def buffered(self, channel):
        return channel.buffered_amount

    async def close(self):
        for end in self.ends:
            end.close()


async def handshakes(kind, count):
    times = []
    for _ in range(count):
        pair = kind()
        began, used = time.monotonic(), busy()
        await pair.connect(False)
        times.append((time.monotonic() - began, busy() - used))
        await pair.close()
    elapsed, used = (statistics.median(each) * 1000 for each in zip(*times))
    tell("handshake, offer to open channel", ms=elapsed, ms_of_a_core=used)


async def transfers(kind, seconds):
    for size, name in ((1024, "1 KiB"), (16 * 1024, "16 KiB"), (256 * 1024, "256 KiB"), (32, "32 bytes"), (1024, "1024 bytes")):
        pair = kind()
        await pair.connect(False)
        message = b"\x5a" * size
        await pair.stream(message, seconds / 3)
        sent, used, elapsed = await pair.stream(message, seconds)
        if "KiB" in name:
            megabits = sent * size * 8 / 1e6
            figures = {"Mbit_per_s": megabits / used, "Mbit_per_s_elapsed": megabits / elapsed}
        else:
            figures = {"k_messages_per_s": sent / used / 1000, "k_messages_per_s_elapsed": sent / elapsed / 1000}
        tell(f"data channel, {name}", **figures)
        await pair.close()


async def round_trips(kind, count):
    """A message there, and what the other end sends when it has it back."""
    pair = kind()
    await pair.connect(False)
    pair.echo = message = b"\x5a" * 100
    back = asyncio.Event()
    pair.channels[0].on("message", lambda _: back.set())
    times = []
    for number in range(count):
        began = time.perf_counter()
        back.clear()
        pair.channels[0].send(message)
        await asyncio.wait_for(back.wait(), 60)
        if number >= count // 10:
            times.append((time.perf_counter() - began) * 1e6)
    times.sort()
    tell("round trip of 100 bytes", us=statistics.median(times), **{"us, 99th of 100": times[len(times) * 99 // 100]})
    await pair.close()


async def memory(kind, count):
    first = kind()
    await first.connect(True)
    gc.collect()
    before = resident()
    pairs = []
    for _ in range(count):
        pair = kind()
        await pair.connect(True)
        pairs.append(pair)
    gc.collect()
    tell("memory a connected peer", KiB_resident=(resident() - before) / (2 * count) / 1024)


async def measure(kind, options):
    await handshakes(kind, 11)
    await transfers(kind, options.seconds)
    await round_trips(kind, 1000)
    await memory(kind, options.pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["aiortc", "libwebrtc"])
    parser.add_argument("--seconds", type=float, default=3, help="of sending, for each size of messages")
    parser.add_argument("--pairs", type=int, default=100, help="connections that are held for the figure of memory")
    options = parser.parse_args()
    asyncio.run(measure({"aiortc": AioRTC, "libwebrtc": LibWebRTC}[options.kind], options))
    # Neither stack ends its threads quickly, with so many connections open.
    os._exit(0)


if __name__ == "__main__":
    main()
