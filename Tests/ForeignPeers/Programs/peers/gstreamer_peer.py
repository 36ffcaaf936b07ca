"""GStreamer's webrtcbin, with libnice, OpenSSL, libsrtp and usrsctp under it; x264 and FFmpeg do the pictures."""

import asyncio
import re
import time
from urllib.parse import quote

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

from . import picture, session, sound  # noqa: E402
from .channel import LOW  # noqa: E402
from .session import Unsupported  # noqa: E402

_SENDER = """
    appsrc name=source is-live=true do-timestamp=true format=time
        caps=video/x-raw,format=I420,width={width},height={height},framerate={rate}/1
    ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max={rate} bitrate=600
    ! video/x-h264,profile=constrained-baseline
    ! rtph264pay config-interval=-1 aggregate-mode=zero-latency pt={payload_type}
    ! capssetter caps="{caps}"
"""
_RECEIVER = """
    rtph264depay ! h264parse ! avdec_h264 ! videoconvert ! video/x-raw,format=I420
    ! appsink name=sink emit-signals=true sync=false max-buffers=2 drop=true
"""


_SINGER = """
    appsrc name=source is-live=true format=time
        caps=audio/x-raw,format=S16LE,rate={rate},channels=2,layout=interleaved,channel-mask=(bitmask)3
    ! opusenc frame-size=20 inband-fec=true
    ! rtpopuspay pt={payload_type}
    ! capssetter caps="{caps}"
"""
_LISTENER = """
    rtpopusdepay ! opusdec plc=true use-inband-fec=true ! audioconvert ! audio/x-raw,format=S16LE
    ! appsink name=sink emit-signals=true sync=false max-buffers=50
"""


def _sound_caps(payload_type):
    return (
        f"application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload={payload_type},"
        "encoding-params=(string)2,stereo=(string)1,sprop-stereo=(string)1,useinbandfec=(string)1"
    )


def _opus_of(sdp):
    """The number of an offer's Opus."""
    found = re.search(r"^a=rtpmap:(\d+) opus/48000/2", sdp, re.MULTILINE | re.IGNORECASE)
    if not found:
        raise ValueError("the offer has no Opus")
    return int(found.group(1))


def _caps(payload_type, profile):
    return (
        f"application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload={payload_type},"
        f"packetization-mode=(string)1,profile-level-id=(string){profile},"
        "rtcp-fb-nack-pli=true,rtcp-fb-ccm-fir=true"
    )


def _format_of(sdp, profile):
    """Number and profile of the H.264 of an offer that is nearest to a profile."""
    found = []
    for number in re.findall(r"^a=rtpmap:(\d+) H264/90000", sdp, re.MULTILINE | re.IGNORECASE):
        line = re.search(rf"^a=fmtp:{number} (.*?)\r?$", sdp, re.MULTILINE)
        line = line.group(1) if line else ""
        level = re.search(r"profile-level-id=(\w{6})", line)
        level = level.group(1) if level else "42e01f"
        near = (level.lower() == profile, level[:2].lower() == profile[:2], "packetization-mode=1" in line)
        found.append((near, int(number), level))
    if not found:
        raise ValueError("the offer has no H.264")
    return max(found)[1:]


class Wire:
    def __init__(self, channel):
        self.channel = channel

    def send(self, data):
        if isinstance(data, str):
            self.channel.emit("send-string", data)
        else:
            self.channel.emit("send-data", GLib.Bytes.new(data))

    def buffered(self):
        return self.channel.props.buffered_amount

    def close(self):
        self.channel.emit("close")


class Peer:
    def __init__(self, owner):
        self.owner = owner
        self.options = owner.options
        # GStreamer decodes any profile and has no preference of its own.
        self.profile = self.options.codec_profile.lower().replace("any", "42e01f")
        self.loop = owner.loop
        self.pipe = None
        self.bin = None
        self.mids = []
        self.has_remote = False
        self.waiting = []
        self.promises = []

    def later(self, function, *arguments):
        """From one of GStreamer's threads onto ours."""
        self.loop.call_soon_threadsafe(function, *arguments)

    async def configure(self, servers, policy):
        Gst.init(None)
        self.pipe = Gst.Pipeline.new("peer")
        self.bin = Gst.ElementFactory.make("webrtcbin", "peer-connection")
        if not self.bin:
            raise RuntimeError("no webrtcbin here: run script/install-packages")
        self.bin.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
        self.bin.set_property("latency", 20)
        self.bin.set_property("ice-transport-policy", getattr(GstWebRTC.WebRTCICETransportPolicy, policy.upper()))
        for server in servers:
            urls = server["urls"] if isinstance(server["urls"], list) else [server["urls"]]
            for url in urls:
                self.add_server(url, server)
        self.bin.connect("on-ice-candidate", lambda _, line, text: self.later(self.candidate, line, text))
        self.bin.connect("notify::ice-gathering-state", lambda *_: self.later(self.gathering))
        self.bin.connect("notify::connection-state", lambda *_: self.later(self.changed))
        self.bin.connect("on-data-channel", lambda _, channel: self.arrived(channel))
        self.bin.connect("pad-added", self.pad_added)
        self.pipe.add(self.bin)
        bus = self.pipe.get_bus()
        bus.set_sync_handler(self.bus_message)
        self.pipe.set_state(Gst.State.PLAYING)

    def add_server(self, url, server):
        scheme, _, rest = url.partition(":")
        if scheme == "stun":
            self.bin.set_property("stun-server", f"stun://{rest}")
            return
        name, password = quote(server["username"], safe=""), quote(server["credential"], safe="")
        if not self.bin.emit("add-turn-server", f"{scheme}://{name}:{password}@{rest}"):
            raise ValueError("GStreamer takes no such TURN server")

    def bus_message(self, _, message):
        if message.type == Gst.MessageType.ERROR:
            error, _ = message.parse_error()
            self.later(self.broke, message.src.get_name(), error.message)
        return Gst.BusSyncReply.DROP

    def broke(self, element, text):
        # webrtcbin reports an SCTP association that the other end aborts, as on closing, as an
        # error.
        if element.startswith("sctp") and self.owner.last_state == "connected":
            self.owner.state("closed")
        else:
            self.owner.failed(RuntimeError(f"{element}: {text}"))

    def changed(self):
        state = self.bin.get_property("connection-state").value_nick
        if state in ("connected", "failed", "closed"):
            self.owner.state(state)

    def candidate(self, line, text):
        mid = self.mids[line] if line < len(self.mids) else str(line)
        self.owner.say({"type": "candidate", "candidate": text, "sdpMid": mid})

    def gathering(self):
        if self.bin.get_property("ice-gathering-state") == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            self.owner.say({"type": "candidate", "candidate": None, "sdpMid": None})

    async def promised(self, signal, *arguments, field=None):
        """What webrtcbin answers to a signal: a field of it, where one is asked for."""
        answer = self.loop.create_future()
        promise = Gst.Promise.new_with_change_func(lambda *_: self.later(answer.set_result, None))
        # A reply, and everything taken from it, lives as long as its promise.
        self.promises.append(promise)
        self.bin.emit(signal, *arguments, promise)
        await answer
        reply = promise.get_reply()
        self.promises.append(reply)
        if reply and reply.has_field("error"):
            error = reply.get_value("error")
            raise RuntimeError(f"{signal}: {getattr(error, 'message', error)}")
        return reply.get_value(field) if field else None

    # Descriptions

    async def offer(self, restart):
        if restart:
            raise Unsupported("webrtcbin restarts no ICE")
        if self.options.video == "send":
            await self.add_sender(96, self.profile)
        elif self.options.video == "receive":
            caps = Gst.Caps.from_string(_caps(96, self.profile))
            self.bin.emit("add-transceiver", GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY, caps).set_property(
                "do-nack", True
            )
        if self.options.sound in ("send", "both"):
            await self.add_singer(97)
        elif self.options.sound == "receive":
            caps = Gst.Caps.from_string(_sound_caps(97))
            self.bin.emit("add-transceiver", GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY, caps)
        if self.options.data:
            self.open_channel("peer", True, None, "")
        await self.tell("offer", await self.promised("create-offer", None, field="offer"))

    async def tell(self, kind, description):
        sdp = description.sdp.as_text()
        self.mids = re.findall(r"^a=mid:(.*?)\r?$", sdp, re.MULTILINE)
        self.owner.say({"type": kind, "sdp": sdp})
        await self.promised("set-local-description", description)

    async def take(self, kind, sdp):
        _, message = GstSdp.SDPMessage.new_from_text(sdp)
        description = GstWebRTC.WebRTCSessionDescription.new(getattr(GstWebRTC.WebRTCSDPType, kind), message)
        await self.promised("set-remote-description", description)
        self.has_remote = True
        waiting, self.waiting = self.waiting, []
        for text, mid in waiting:
            await self.add_candidate(text, mid)

    async def take_offer(self, sdp):
        first = not self.has_remote
        if first and self.options.video == "send":
            await self.add_sender(*_format_of(sdp, self.profile))
        if first and self.options.sound in ("send", "both"):
            await self.add_singer(_opus_of(sdp))
        await self.take("OFFER", sdp)
        if first and self.options.video == "receive":
            self.prefer(*_format_of(sdp, self.profile))
        await self.tell("answer", await self.promised("create-answer", None, field="answer"))

    async def take_answer(self, sdp):
        await self.take("ANSWER", sdp)

    async def add_candidate(self, text, mid):
        if not self.has_remote:
            self.waiting.append((text, mid))
            return
        # webrtcbin has no call for the end of candidates: libnice continues until it has a pair.
        if text:
            line = self.mids.index(mid) if mid in self.mids else 0
            self.bin.emit("add-ice-candidate", line, text)

    # Video

    def prefer(self, payload_type, profile):
        index = 0
        while transceiver := self.bin.emit("get-transceiver", index):
            if transceiver.props.kind == GstWebRTC.WebRTCKind.VIDEO:
                transceiver.set_property("codec-preferences", Gst.Caps.from_string(_caps(payload_type, profile)))
                transceiver.set_property("do-nack", True)
            index += 1

    async def add_sender(self, payload_type, profile):
        text = _SENDER.format(
            width=picture.WIDTH, height=picture.HEIGHT, rate=picture.RATE, payload_type=payload_type,
            # The level in the stream's parameter sets may differ from the negotiated one.
            caps=_caps(payload_type, profile),
        )
        sender = Gst.parse_bin_from_description(text, True)
        self.pipe.add(sender)
        sink = self.bin.request_pad_simple("sink_%u")
        transceiver = sink.get_property("transceiver")
        transceiver.set_property("direction", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
        transceiver.set_property("codec-preferences", Gst.Caps.from_string(_caps(payload_type, profile)))
        sender.get_static_pad("src").link(sink)
        sender.sync_state_with_parent()
        self.owner.task(self.play(sender.get_by_name("source")))
        # webrtcbin's descriptions name the SSRC, which is known only with the first packet.
        while not sink.has_current_caps():
            await asyncio.sleep(0.005)

    async def add_singer(self, payload_type):
        caps = _sound_caps(payload_type)
        text = _SINGER.format(rate=sound.RATE, payload_type=payload_type, caps=caps)
        singer = Gst.parse_bin_from_description(text, True)
        self.pipe.add(singer)
        caps = Gst.Caps.from_string(caps)
        sink = self.bin.request_pad(self.bin.get_pad_template("sink_%u"), None, caps)
        transceiver = sink.get_property("transceiver")
        if self.options.sound == "send":
            transceiver.set_property("direction", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
        transceiver.set_property("codec-preferences", caps)
        singer.get_static_pad("src").link(sink)
        singer.sync_state_with_parent()
        self.owner.task(self.sing(singer.get_by_name("source")))
        while not sink.has_current_caps():
            await asyncio.sleep(0.005)

    async def sing(self, source):
        tone = sound.Tone()
        began, first = self.pipe.get_clock().get_time() - self.pipe.get_base_time(), tone.next
        while True:
            await asyncio.sleep(tone.wait())
            # Timestamps must be contiguous: the encoder would fill a gap.
            time = began + (tone.next - first) * Gst.SECOND // sound.RATE
            buffer = Gst.Buffer.new_wrapped(tone.take())
            buffer.pts, buffer.duration = time, tone.chunk * Gst.SECOND // sound.RATE
            source.emit("push-buffer", buffer)

    async def set_direction(self, direction):
        raise Unsupported("webrtcbin offers no change of direction")

    async def play(self, source):
        began = time.monotonic()
        number = 0
        while True:
            source.emit("push-buffer", Gst.Buffer.new_wrapped(picture.picture(number)))
            self.owner.counts["framesSent"] += 1
            number += 1
            await asyncio.sleep(max(0, began + number / picture.RATE - time.monotonic()))

    def pad_added(self, _, pad):
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        is_sound = pad.get_current_caps().get_structure(0).get_string("media") == "audio"
        receiver = Gst.parse_bin_from_description(_LISTENER if is_sound else _RECEIVER, True)
        receiver.get_by_name("sink").connect("new-sample", self.heard if is_sound else self.sample)
        self.pipe.add(receiver)
        receiver.sync_state_with_parent()
        pad.link(receiver.get_static_pad("sink"))

    def sample(self, sink):
        sample = sink.emit("pull-sample")
        structure = sample.get_caps().get_structure(0)
        width, height = structure.get_value("width"), structure.get_value("height")
        self.later(self.owner.meter.frame, width, height, lambda: _mean(sample, width, height))
        return Gst.FlowReturn.OK

    def heard(self, sink):
        sample = sink.emit("pull-sample")
        structure = sample.get_caps().get_structure(0)
        buffer = sample.get_buffer()
        data = buffer.extract_dup(0, buffer.get_size())
        channels, rate = structure.get_value("channels"), structure.get_value("rate")
        self.later(lambda: self.owner.ear.hear(sound.floats(data), channels, rate))
        return Gst.FlowReturn.OK

    # Data channels

    def open_channel(self, label, ordered, retransmits, protocol):
        settings = Gst.Structure.new_empty("settings")
        settings.set_value("ordered", ordered)
        settings.set_value("protocol", protocol)
        if retransmits is not None:
            settings.set_value("max-retransmits", retransmits)
        channel = self.bin.emit("create-data-channel", label, settings)
        if not channel:
            raise RuntimeError("webrtcbin opens no channel")
        self.wrap(channel, incoming=False)

    def arrived(self, channel):
        # Runs in GStreamer's thread: the handlers must be connected before the first message
        # arrives.
        self.wrap(channel, incoming=True)

    def wrap(self, channel, incoming):
        retransmits = channel.props.max_retransmits
        wrapped = self.owner.add_channel(
            Wire(channel),
            label=channel.props.label,
            ordered=channel.props.ordered,
            retransmits=None if retransmits < 0 else retransmits,
            protocol=channel.props.protocol or "",
            incoming=incoming,
        )
        channel.props.buffered_amount_low_threshold = LOW
        channel.connect("on-open", lambda _: self.later(wrapped.opened))
        channel.connect("on-close", lambda _: self.later(wrapped.closed))
        channel.connect("on-message-string", lambda _, text: self.later(wrapped.received, text or ""))
        channel.connect("on-message-data", lambda _, data: self.later(wrapped.received, data.get_data() if data else b""))
        channel.connect("on-buffered-amount-low", lambda _: self.later(wrapped.low))
        if channel.props.ready_state == GstWebRTC.WebRTCDataChannelState.OPEN:
            self.later(wrapped.opened)
        return wrapped

    async def stats(self):
        return {}

    async def close(self):
        if self.pipe:
            # Runs in another thread: stopping may wait for work of this thread.
            await asyncio.to_thread(self.pipe.set_state, Gst.State.NULL)


def _mean(sample, width, height):
    stride = (width + 3) & ~3
    return picture.mean(sample.get_buffer().extract_dup(0, stride * height), stride, width, height)


def run(options):
    session.run(options, Peer)
