"""aiortc: a WebRTC stack in Python, Debian's."""

import asyncio
import fractions
import time

import av
from aiortc import (
    RTCConfiguration,
    RTCIceServer,
    RTCPeerConnection,
    RTCRtpReceiver,
    RTCRtpSender,
    RTCSessionDescription,
    VideoStreamTrack,
)
from aiortc.mediastreams import AudioStreamTrack, MediaStreamError
from aiortc.sdp import candidate_from_sdp

from . import picture, session, sound
from .channel import LOW
from .session import Unsupported


class Picture(VideoStreamTrack):
    """The test picture."""

    def __init__(self, counts):
        super().__init__()
        self.counts = counts
        self.number = 0
        self.began = None

    async def recv(self):
        now = time.monotonic()
        self.began = self.began or now
        await asyncio.sleep(max(0, self.began + self.number / picture.RATE - now))
        frame = av.VideoFrame(picture.WIDTH, picture.HEIGHT, "yuv420p")
        data = picture.picture(self.number)
        luma = picture.WIDTH * picture.HEIGHT
        for plane, start, width in ((0, 0, 1), (1, luma, 2), (2, luma * 5 // 4, 2)):
            _fill(frame.planes[plane], data, start, picture.WIDTH // width)
        frame.pts = self.number * 90000 // picture.RATE
        frame.time_base = fractions.Fraction(1, 90000)
        self.number += 1
        self.counts["framesSent"] += 1
        return frame


def _fill(plane, data, start, width):
    rows = (data[start + row * width : start + (row + 1) * width] for row in range(plane.height))
    padding = bytes(plane.line_size - width)
    plane.update(b"".join(row + padding for row in rows))


class Sound(AudioStreamTrack):
    """The test tone."""

    def __init__(self):
        super().__init__()
        self.tone = sound.Tone(2 * sound.CHUNK)
        self.began = self.tone.next

    async def recv(self):
        await asyncio.sleep(self.tone.wait())
        frame = av.AudioFrame("s16", "stereo", self.tone.chunk)
        frame.sample_rate = sound.RATE
        frame.time_base = fractions.Fraction(1, sound.RATE)
        frame.pts = self.tone.next - self.began
        frame.planes[0].update(self.tone.take())
        return frame


class Wire:
    def __init__(self, channel):
        self.channel = channel

    def send(self, data):
        self.channel.send(data)

    def buffered(self):
        return self.channel.bufferedAmount

    def close(self):
        self.channel.close()


class Peer:
    def __init__(self, owner):
        self.owner = owner
        self.options = owner.options
        self.connection = None

    async def configure(self, servers, policy):
        if policy != "all":
            raise Unsupported("aiortc has no policy for ICE: it always gathers everything")
        servers = [RTCIceServer(**{key: server.get(key) for key in ("urls", "username", "credential")}) for server in servers]
        self.connection = connection = RTCPeerConnection(RTCConfiguration(iceServers=servers))

        # By default, this version of aiortc offers data channels in the draft form (DTLS/SCTP,
        # sctpmap).
        connection._sctpLegacySdp = self.options.legacy_sctp

        @connection.on("connectionstatechange")
        def changed():
            if connection.connectionState in ("connected", "failed", "closed"):
                self.owner.state(connection.connectionState)

        @connection.on("datachannel")
        def arrived(channel):
            self.wrap(channel, incoming=True).opened()

        @connection.on("track")
        def track(track):
            if track.kind == "video":
                self.owner.task(self.watch(track))
            else:
                self.owner.task(self.listen(track))

    async def watch(self, track):
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            self.owner.meter.frame(frame.width, frame.height, lambda: _mean(frame))

    async def listen(self, track):
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            channels = len(frame.layout.channels)
            data = bytes(frame.planes[0])[: frame.samples * channels * 2]
            self.owner.ear.hear(sound.floats(data), channels, frame.sample_rate)

    def prefer(self, transceiver):
        sides = RTCRtpSender if self.options.video == "send" else RTCRtpReceiver
        codecs = [codec for codec in sides.getCapabilities("video").codecs if codec.mimeType == "video/H264"]
        wanted = self.options.codec_profile.lower()
        if wanted != "any":
            codecs = [codec for codec in codecs if codec.parameters.get("profile-level-id", "").lower() == wanted]
        if not codecs:
            raise ValueError(f"aiortc has no H.264 of the profile {wanted}")
        transceiver.setCodecPreferences(codecs)

    def add_video(self):
        if self.options.video == "send":
            self.connection.addTrack(Picture(self.owner.counts))
        elif self.options.video == "receive" and not self.sections("video"):
            self.connection.addTransceiver("video", direction="recvonly")
        for transceiver in self.sections("video") if self.options.video != "none" else []:
            if self.options.video == "send":
                transceiver.direction = "sendonly"
            self.prefer(transceiver)

    def add_sound(self):
        if self.options.sound in ("send", "both"):
            self.connection.addTrack(Sound())
        elif self.options.sound == "receive" and not self.sections("audio"):
            self.connection.addTransceiver("audio", direction="recvonly")
        for transceiver in self.sections("audio") if self.options.sound == "send" else []:
            transceiver.direction = "sendonly"

    def sections(self, kind):
        return [each for each in self.connection.getTransceivers() if each.kind == kind]

    async def set_direction(self, direction):
        raise Unsupported("aiortc offers no change of direction")

    async def offer(self, restart):
        if restart:
            raise Unsupported("aiortc restarts no ICE")
        self.add_video()
        self.add_sound()
        if self.options.data:
            self.open_channel("peer", True, None, "")
        await self.tell(await self.connection.createOffer())

    async def tell(self, description):
        # The description contains every candidate: aiortc doesn't trickle.
        await self.connection.setLocalDescription(description)
        local = self.connection.localDescription
        self.owner.say({"type": local.type, "sdp": sound.in_stereo(local.sdp)})
        self.owner.say({"type": "candidate", "candidate": None, "sdpMid": None})

    async def take_offer(self, sdp):
        first = self.connection.remoteDescription is None
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
        if first:
            self.add_video()
            self.add_sound()
        await self.tell(await self.connection.createAnswer())

    async def take_answer(self, sdp):
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "answer"))

    async def add_candidate(self, text, mid):
        if not text:
            # aiortc accepts the end of candidates only for all sections at once, after the
            # candidates themselves.
            for transport in {id(t): t for t in self.transports()}.values():
                await transport.addRemoteCandidate(None)
            return
        candidate = candidate_from_sdp(text.removeprefix("candidate:"))
        candidate.sdpMid = mid
        if mid is None:
            candidate.sdpMLineIndex = 0
        await self.connection.addIceCandidate(candidate)

    def transports(self):
        if self.connection.sctp:
            yield self.connection.sctp.transport.transport
        for transceiver in self.connection.getTransceivers():
            yield transceiver.receiver.transport.transport

    def open_channel(self, label, ordered, retransmits, protocol):
        channel = self.connection.createDataChannel(label, ordered=ordered, maxRetransmits=retransmits, protocol=protocol)
        wrapped = self.wrap(channel, incoming=False)
        if channel.readyState == "open":
            wrapped.opened()

    def wrap(self, channel, incoming):
        wrapped = self.owner.add_channel(
            Wire(channel),
            label=channel.label,
            ordered=channel.ordered,
            retransmits=channel.maxRetransmits,
            protocol=channel.protocol,
            incoming=incoming,
        )
        channel.bufferedAmountLowThreshold = LOW
        channel.on("open", wrapped.opened)
        channel.on("close", wrapped.closed)
        channel.on("message", wrapped.received)
        channel.on("bufferedamountlow", wrapped.low)
        return wrapped

    async def stats(self):
        for transport in self.transports():
            # aiortc doesn't report candidate pairs; its ICE layer (aioice) has them.
            pair = transport._connection._nominated.get(1)
            if pair:
                ends = (("local", pair.local_candidate), ("remote", pair.remote_candidate))
                return {"candidatePair": {name: {"type": end.type, "protocol": end.transport.lower()} for name, end in ends}}
        return {}

    async def close(self):
        if self.connection:
            await self.connection.close()


def _mean(frame):
    plane = frame.reformat(format="yuv420p").planes[0]
    return picture.mean(bytes(plane), plane.line_size, frame.width, frame.height)


def run(options):
    session.run(options, Peer)
