"""libwebrtc, the stack of Chrome, as the package `wrtc` brings it."""

import asyncio
import sys
import time
from pathlib import Path

import webrtc
import wrtc

from . import picture, session, sound
from .channel import LOW


def load_openh264():
    """H.264 isn't in the package; a library that another one carries is."""
    places = [Path(place) / "av.libs" for place in sys.path]
    found = [library for place in places if place.is_dir() for library in place.glob("libopenh264-*.so*")]
    if not found:
        raise RuntimeError("no OpenH264: run script/install-peers")
    wrtc.loadOpenH264(str(found[0]))


class Wire:
    def __init__(self, channel):
        self.channel = channel

    def send(self, data):
        self.channel.send(data)

    def buffered(self):
        return self.channel.buffered_amount

    def close(self):
        self.channel.close()


class Peer:
    def __init__(self, owner):
        self.owner = owner
        self.options = owner.options
        self.connection = None
        self.waiting = []

    async def configure(self, servers, policy):
        if self.options.video != "none":
            load_openh264()
        configuration = webrtc.RTCConfiguration(
            ice_servers=[
                webrtc.RTCIceServer(server["urls"], server.get("username"), server.get("credential"))
                for server in servers
            ],
            ice_transport_policy=policy,
            bundle_policy="max-bundle",
        )
        self.connection = connection = webrtc.RTCPeerConnection(configuration)

        def changed(_):
            state = connection.connection_state.value
            if state in ("connected", "failed", "closed"):
                self.owner.state(state)

        def candidate(event):
            found = event.candidate
            self.owner.say(
                {
                    "type": "candidate",
                    "candidate": found.candidate if found else None,
                    "sdpMid": found.sdp_mid if found else None,
                }
            )

        def track(event):
            if event.track.kind == "video":
                self.owner.task(self.watch(event.track))
            else:
                self.owner.task(self.listen(event.track))

        connection.on("connectionstatechange", changed)
        connection.on("icecandidate", candidate)
        connection.on("datachannel", lambda event: self.arrived(event.channel))
        connection.on("track", track)

    def arrived(self, channel):
        wrapped = self.wrap(channel, incoming=True)
        if channel.ready_state == "open":
            wrapped.opened()

    async def watch(self, track):
        processor = webrtc.MediaStreamTrackProcessor(webrtc.MediaStreamTrackProcessorInit(track))
        async for frame in processor.readable:
            self.owner.meter.frame(frame.coded_width, frame.coded_height, lambda: _mean(frame))
            frame.close()

    async def play(self, generator):
        writer = generator.writable.get_writer()
        began = time.monotonic()
        number = 0
        while True:
            init = webrtc.VideoFrameBufferInit(
                format="I420",
                coded_width=picture.WIDTH,
                coded_height=picture.HEIGHT,
                timestamp=number * 1_000_000 // picture.RATE,
            )
            await writer.write(webrtc.VideoFrame(picture.picture(number), init))
            self.owner.counts["framesSent"] += 1
            number += 1
            await asyncio.sleep(max(0, began + number / picture.RATE - time.monotonic()))

    async def listen(self, track):
        processor = webrtc.MediaStreamTrackProcessor(webrtc.MediaStreamTrackProcessorInit(track, 100))
        async for chunk in processor.readable:
            size = chunk.number_of_frames * chunk.number_of_channels
            data = bytearray(2 * size)
            chunk.copy_to(data, webrtc.AudioDataCopyToOptions(plane_index=0, format="s16"))
            self.owner.ear.hear(sound.floats(data), chunk.number_of_channels, int(chunk.sample_rate))
            chunk.close()

    async def sing(self, generator):
        writer = generator.writable.get_writer()
        tone = sound.Tone()
        while True:
            await asyncio.sleep(tone.wait())
            init = webrtc.AudioDataInit(
                format="s16",
                sample_rate=sound.RATE,
                number_of_frames=tone.chunk,
                number_of_channels=2,
                timestamp=tone.next * 1_000_000 // sound.RATE,
                data=tone.take(),
            )
            await writer.write(webrtc.AudioData(init))

    def add_sound(self):
        if self.options.sound in ("send", "both"):
            generator = webrtc.MediaStreamTrackGenerator("audio")
            sender = self.connection.add_track(generator)
            if self.options.sound == "send":
                self.section(lambda each: each.sender == sender).direction = "sendonly"
            self.owner.task(self.sing(generator))
        elif self.options.sound == "receive" and not self.section(_is_sound):
            self.connection.add_transceiver("audio", webrtc.RTCRtpTransceiverInit(direction="recvonly"))

    def section(self, fits):
        return next((each for each in self.connection.get_transceivers() if fits(each)), None)

    async def set_direction(self, direction):
        self.section(_is_sound).direction = direction
        await self.tell(await self.connection.create_offer())

    def prefer(self, transceiver):
        side = webrtc.RTCRtpSender if self.options.video == "send" else webrtc.RTCRtpReceiver
        offered = side.get_capabilities("video").codecs
        h264 = [codec for codec in offered if codec.mime_type.lower() == "video/h264"]
        h264 = [codec for codec in h264 if "packetization-mode=1" in (codec.sdp_fmtp_line or "")]
        if self.options.codec_profile != "any":
            wanted = f"profile-level-id={self.options.codec_profile.lower()}"
            h264 = [codec for codec in h264 if wanted in codec.sdp_fmtp_line.lower()]
        if not h264:
            raise ValueError(f"libwebrtc has no H.264 of the profile {self.options.codec_profile}")
        repair = [codec for codec in offered if codec.mime_type.lower() == "video/rtx"]
        transceiver.set_codec_preferences(h264 + repair[:1])

    def add_video(self):
        video = self.options.video
        if video == "none":
            return
        if video == "send":
            generator = webrtc.VideoTrackGenerator()
            sender = self.connection.add_track(generator.track)
            mine = [each for each in self.connection.get_transceivers() if each.sender is sender or each.sender == sender]
            mine[0].direction = "sendonly"
            self.owner.task(self.play(generator))
        else:
            mine = [each for each in self.connection.get_transceivers() if each.receiver.track.kind == "video"]
            mine = mine or [
                self.connection.add_transceiver("video", webrtc.RTCRtpTransceiverInit(direction="recvonly"))
            ]
        self.prefer(mine[0])

    async def offer(self, restart):
        if restart:
            self.connection.restart_ice()
        else:
            self.add_video()
            self.add_sound()
            if self.options.data:
                self.open_channel("peer", True, None, "")
        await self.tell(await self.connection.create_offer())

    async def tell(self, description):
        # The description is reported here, before its candidates, so that they follow it in order.
        kind, sdp = _text(description.type), sound.in_stereo(description.sdp)
        self.owner.say({"type": str(kind), "sdp": sdp})
        await self.connection.set_local_description(webrtc.RTCSessionDescriptionInit(type=kind, sdp=sdp))

    async def take_offer(self, sdp):
        first = self.connection.remote_description is None
        await self.connection.set_remote_description(webrtc.RTCSessionDescriptionInit(type="offer", sdp=sdp))
        if first:
            self.add_video()
            self.add_sound()
        await self.tell(await self.connection.create_answer())
        await self.add_waiting()

    async def take_answer(self, sdp):
        await self.connection.set_remote_description(webrtc.RTCSessionDescriptionInit(type="answer", sdp=sdp))
        await self.add_waiting()

    async def add_waiting(self):
        waiting, self.waiting = self.waiting, []
        for text, mid in waiting:
            await self.add_candidate(text, mid)

    async def add_candidate(self, text, mid):
        if self.connection.remote_description is None:
            self.waiting.append((text, mid))
        elif not text:
            await self.connection.add_ice_candidate(None)
        else:
            index = 0 if mid is None else None
            init = webrtc.RTCIceCandidateInit(candidate=text, sdp_mid=mid, sdp_m_line_index=index)
            await self.connection.add_ice_candidate(init)

    def open_channel(self, label, ordered, retransmits, protocol):
        init = webrtc.RTCDataChannelInit(ordered=ordered, max_retransmits=retransmits, protocol=protocol)
        wrapped = self.wrap(self.connection.create_data_channel(label, init), incoming=False)
        if wrapped.wire.channel.ready_state == "open":
            wrapped.opened()

    def wrap(self, channel, incoming):
        wrapped = self.owner.add_channel(
            Wire(channel),
            label=channel.label,
            ordered=channel.ordered,
            retransmits=channel.max_retransmits,
            protocol=channel.protocol,
            incoming=incoming,
        )
        channel.binary_type = "arraybuffer"
        channel.buffered_amount_low_threshold = LOW
        channel.on("open", lambda _: wrapped.opened())
        channel.on("close", lambda _: wrapped.closed())
        channel.on("message", lambda event: wrapped.received(event.data))
        channel.on("bufferedamountlow", lambda _: wrapped.low())
        return wrapped

    async def stats(self):
        report = await self.connection.get_stats()
        said, played = {}, {}
        for entry in report.values():
            if entry.type == "transport" and entry.selected_candidate_pair_id in report:
                pair = report[entry.selected_candidate_pair_id]
                ends = (("local", report.get(pair.local_candidate_id)), ("remote", report.get(pair.remote_candidate_id)))
                said["candidatePair"] = {
                    name: {"type": _text(end.candidate_type), "protocol": _text(end.protocol)} for name, end in ends if end
                }
            elif entry.type == "inbound-rtp" and _text(entry.kind) == "video":
                said["framesDecoded"] = entry.frames_decoded
                said["nackCount"] = entry.nack_count
                played["video"] = entry.estimated_playout_timestamp
            elif entry.type == "inbound-rtp":
                said["soundPackets"] = entry.packets_received
                said["soundSamples"] = entry.total_samples_received
                said["concealedSamples"] = entry.concealed_samples
                played["audio"] = entry.estimated_playout_timestamp
            elif entry.type == "outbound-rtp" and _text(entry.kind) == "video":
                said["framesEncoded"] = entry.frames_encoded
        if played.get("video") and played.get("audio"):
            said["playoutOffset"] = round(played["video"] - played["audio"], 1)
        return said

    async def close(self):
        if self.connection:
            self.connection.close()


def _is_sound(transceiver):
    return _text(transceiver.receiver.track.kind) == "audio"


def _text(value):
    return getattr(value, "value", value)


def _mean(frame):
    data = bytearray(frame.allocation_size())
    frame.copy_to(data).result()
    return picture.mean(data, frame.coded_width, frame.coded_width, frame.coded_height)


def run(options):
    session.run(options, Peer)
