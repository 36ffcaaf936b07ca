"""The lines of JSON, for stacks that Python drives."""

import asyncio
import json
import os
import signal
import sys
import threading

from .channel import Channel
from .picture import FrameMeter
from .sound import SoundMeter

_LINE_LIMIT = 1 << 24
# Seconds that a stack is given to close its connection.
_GOODBYE = 2
_output_lock = threading.Lock()


def say(message):
    """One line to whoever drives this."""
    with _output_lock:
        try:
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            os._exit(0)


class Unsupported(Exception):
    """What this stack can't do: told, and no failure."""


class Session:
    """What all stacks share: reads commands, keeps the channels, counts."""

    def __init__(self, options):
        self.options = options
        self.channels = []
        self.counts = dict.fromkeys(
            ["messagesSent", "messagesReceived", "bytesSent", "bytesReceived", "echoes", "framesSent"], 0
        )
        self.meter = FrameMeter(say)
        self.ear = SoundMeter(say)
        self.peer = None
        self.loop = None
        self.say = say
        self.last_state = None
        self.tasks = set()

    def state(self, name):
        if name != self.last_state:
            self.last_state = name
            say({"type": "state", "state": name})

    def add_channel(self, wire, *, label, ordered, retransmits, protocol, incoming):
        channel = Channel(self, wire, label, ordered, retransmits, protocol, incoming)
        self.channels.append(channel)
        return channel

    def channel(self, label):
        """The newest of a label."""
        for channel in reversed(self.channels):
            if channel.label == label:
                return channel
        raise ValueError(f"no channel '{label}'")

    def task(self, coroutine):
        """In the background; its failure is the peer's."""
        task = self.loop.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.failed(task.exception())

    def failed(self, error):
        say({"type": "error", "text": f"{type(error).__name__}: {error}"})
        os._exit(1)

    async def command(self, line):
        """One command; false where it was the last."""
        peer, kind = self.peer, line["type"]
        try:
            if kind == "stop":
                return False
            if kind == "configure":
                await peer.configure(line.get("iceServers", []), line.get("iceTransportPolicy", "all"))
                if self.options.role == "offer":
                    await peer.offer(restart=False)
            elif kind == "offer":
                await peer.take_offer(line["sdp"])
            elif kind == "answer":
                await peer.take_answer(line["sdp"])
            elif kind == "candidate":
                await peer.add_candidate(line.get("candidate"), line.get("sdpMid"))
            elif kind == "open":
                peer.open_channel(
                    line["label"], line.get("ordered", True), line.get("maxRetransmits"), line.get("protocol", "")
                )
            elif kind == "send":
                self.channel(line["label"]).send(
                    line.get("count", 1), line["bytes"], line.get("seed", 0), line.get("text", False)
                )
            elif kind == "close":
                self.channel(line["label"]).close()
            elif kind == "stats":
                said = {"type": "stats", **self.counts, "framesReceived": self.meter.count, "tonesHeard": self.ear.count}
                said["candidatePair"] = None
                say({**said, **await peer.stats()})
            elif kind == "restart":
                await peer.offer(restart=True)
            elif kind == "direction":
                await peer.set_direction(line["direction"])
            else:
                raise ValueError(f"no command '{kind}'")
        except Unsupported as missing:
            say({"type": "unsupported", "command": kind, "text": str(missing)})
        return True

    async def main(self, make_peer):
        self.loop = asyncio.get_running_loop()
        # An exception in a callback of the stack fails the peer.
        self.loop.set_exception_handler(
            lambda _, context: self.failed(context.get("exception") or RuntimeError(context["message"]))
        )
        reader = asyncio.StreamReader(limit=_LINE_LIMIT)
        await self.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        self.loop.add_signal_handler(signal.SIGTERM, reader.feed_eof)
        self.peer = make_peer(self)
        while True:
            line = await reader.readline()
            if not line.strip():
                if reader.at_eof():
                    break
                continue
            if not await self.command(json.loads(line)):
                break
        try:
            await asyncio.wait_for(self.peer.close(), _GOODBYE)
        except asyncio.TimeoutError:
            pass
        self.state("closed")


def run(options, make_peer):
    """Runs a peer to its end. Threads of the stack don't hold up the exit."""
    session = Session(options)
    try:
        asyncio.run(_guarded(session, make_peer))
    except KeyboardInterrupt:
        pass
    os._exit(0)


async def _guarded(session, make_peer):
    try:
        await session.main(make_peer)
    except Exception as error:
        session.failed(error)
    sys.stdout.flush()
    os._exit(0)
