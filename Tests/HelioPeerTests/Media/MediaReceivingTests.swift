import HelioBitstream
import HelioCore
import HelioMedia
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSDP
import Testing

/// A viewer that receives handwritten packets.
@Suite struct MediaReceivingTests {
    private static let sets = AnnexB.startCode + FrameSource.sps + AnnexB.startCode + FrameSource.pps

    /// The packets of one stream, as a third-party sender might send them.
    private struct Sender {
        let media: NegotiatedMedia
        var ssrc: SSRC
        var sequence: UInt16 = 100
        var timestamp: UInt32 = 9000
        /// The payload type of the packets; by default that of the first codec.
        var type: PayloadType?

        /// Returns a packet with these header extension elements.
        mutating func packet(
            _ payload: [UInt8], marker: Bool = true, _ elements: [RTPHeaderExtension.Element] = []
        ) -> [UInt8] {
            var bytes: [UInt8] = []
            RTPHeader(
                marker: marker, payloadType: type ?? media.codecs[0].receivePayloadType, sequence: sequence,
                timestamp: timestamp, ssrc: ssrc
            ).write(into: &bytes, hasExtension: !elements.isEmpty)
            if !elements.isEmpty { RTPHeaderExtension.write(elements, into: &bytes) }
            sequence &+= 1
            if marker { timestamp &+= 3000 }
            return bytes + payload
        }

        mutating func keyframe(_ elements: [RTPHeaderExtension.Element] = []) -> [[UInt8]] {
            [
                packet(FrameSource.sps, marker: false, elements), packet(FrameSource.pps, marker: false, elements),
                packet([0x65, 0x88, 0x84, 0x21], elements),
            ]
        }
    }

    private static let keyframe = sets + AnnexB.startCode + [0x65, 0x88, 0x84, 0x21]

    private func element(_ value: some RTPExtensionValue, _ media: NegotiatedMedia) throws -> RTPHeaderExtension.Element
    {
        let id = try #require(media.headerExtension(type(of: value).uri)?.id)
        return value.element(id: id)
    }

    @Test func theStreamThatTheDescriptionNames() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        for packet in sender.keyframe() { viewer.receive(packet, now: .zero) }
        #expect(viewer.frames.map(\.annexB) == [Self.keyframe])
        #expect(viewer.frames.first?.codec == .h264 && viewer.transport.allDrops.isEmpty)
    }

    @Test func aStreamIsKnownByItsMidOrItsType() throws {
        // Two video sections with the same payload types: only the MID distinguishes them.
        var host = Peer("host")
        var viewer = Peer("viewer")
        try host.negotiation.addTrack(.video, host.stream(), receives: false)
        try host.negotiation.addTrack(.video, host.stream(), receives: false)
        try host.exchange(with: &viewer)
        var media = try #require(viewer.negotiation.agreement?.media)
        for index in media.indices { media[index].remote = media[0].remote }
        let transport = MediaTransport(
            MediaTransportConfiguration(cname: "v", feedbackSSRC: SSRC(1), clockOffset: .zero),
            random: SeededGenerator(seed: 1), now: .zero)
        transport.apply(media, senders: [:], now: .zero)
        var end = MediaEnd("viewer", media)

        var stranger = Sender(media: media[1], ssrc: SSRC(0xABCD))
        for packet in stranger.keyframe() { end.receive(packet, now: .zero) }
        #expect(end.frames.isEmpty && end.transport.allDrops["media-unknown-stream"] == 3)

        let mid = try element(MediaIDExtension(try #require(media[1].mid)), media[1])
        let packets = stranger.keyframe([mid])
        for packet in packets { end.receive(packet, now: .zero) }
        #expect(end.frames.count == 1 && end.transport.inbound(media[1].transceiver)?.ssrc == SSRC(0xABCD))
        // The SSRC's MID was learned, so it need not be repeated.
        for packet in stranger.keyframe() { end.receive(packet, now: .zero) }
        #expect(end.frames.count == 2 && end.transport.inbound(media[0].transceiver)?.packets == 0)

        let wrong = try element(MediaIDExtension("elsewhere"), media[1])
        end.receive(stranger.packet([0x41, 0x88], [wrong]), now: .zero)
        #expect(end.transport.allDrops["media-unknown-mid"] == 1)

        // With a single section, the payload type suffices.
        var single = MediaEnd("viewer", [media[1]])
        var nameless = Sender(media: media[1], ssrc: SSRC(0x1234))
        for packet in nameless.keyframe() { single.receive(packet, now: .zero) }
        #expect(single.frames.count == 1)
        nameless.type = PayloadType(1)
        single.receive(nameless.packet([1, 2]), now: .zero)
        #expect(single.transport.allDrops["media-unknown-payload-type"] == 1)
    }

    /// libwebrtc sends with the first codec of an offer that it supports, whatever its answer selects (RFC 3264 section
    /// 5.1).
    @Test func aTypeComesThatTheAnswerLeftOut() throws {
        var viewer = Peer("viewer")
        var baseline = NegotiationConfiguration(sessionID: 7, cname: "host")
        baseline.codecs = [.h264(.constrainedBaseline, level: try #require(H264Level(idc: 31)))]
        var host = Peer("host", baseline)
        try viewer.negotiation.addTransceiver(.video, .recvonly)
        try host.negotiation.addTrack(.video, host.stream(), receives: false)
        try viewer.exchange(with: &host)
        let media = try #require(viewer.negotiation.agreement?.media.first)
        #expect(media.codecs.compactMap(\.h264?.profile) == [.constrainedBaseline])
        #expect(media.unanswered.compactMap(\.h264?.profile) == [.high444Predictive, .high, .main])
        #expect(
            media.unanswered.allSatisfy {
                $0.feedback.contains(RTPCodec.Feedback("nack", "pli")) && $0.receiveRetransmissionType != nil
            })
        #expect(host.negotiation.agreement?.media.first?.unanswered == [])

        var end = MediaEnd("viewer", [media])
        var sender = Sender(media: media, ssrc: SSRC(0xABCD))
        for (number, codec) in (media.unanswered + media.codecs).enumerated() {
            sender.type = codec.receivePayloadType
            for packet in sender.keyframe() { end.receive(packet, now: .zero) }
            #expect(end.frames.count == number + 1)
        }
        #expect(end.transport.allDrops["media-unknown-payload-type"] == nil)
    }

    @Test func anotherStreamTakesThePlaceOfOne() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var first = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        var second = Sender(media: world.viewerMedia, ssrc: SSRC(0xBEEF))
        second.sequence = 40_000
        let mid = try element(MediaIDExtension(try #require(world.viewerMedia.mid)), world.viewerMedia)
        for packet in first.keyframe() { viewer.receive(packet, now: .zero) }
        for packet in second.keyframe([mid]) { viewer.receive(packet, now: .zero) }
        #expect(viewer.frames.map(\.frameIndex) == [0, 1])
        // A late packet of the first stream does not switch back to it.
        viewer.receive(first.packet([0x41, 0x88, 0x84]), now: .zero + .milliseconds(10))
        #expect(viewer.transport.allDrops["media-retired-stream"] == 1)
        viewer.receive(second.packet([0x41, 0x88, 0x84]), now: .zero + .milliseconds(20))
        #expect(viewer.frames.count == 3)
        // The first stream may return once the second is silent.
        for packet in first.keyframe() { viewer.receive(packet, now: .zero + .seconds(3)) }
        #expect(viewer.frames.count == 4)
        let statistics = try #require(viewer.transport.inbound(world.view))
        #expect(statistics.ssrc == world.stream.ssrc && statistics.packets == 10 && statistics.frames == 4)
    }

    @Test func aGoodbyeMakesRoomAtOnce() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var first = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        var second = Sender(media: world.viewerMedia, ssrc: SSRC(0xBEEF))
        for packet in first.keyframe() { viewer.receive(packet, now: .zero) }
        for packet in second.keyframe() { viewer.receive(packet, now: .zero) }
        var bye: [UInt8] = []
        RTCPPacket.goodbye([SSRC(0xBEEF), SSRC(9)]).write(into: &bye)
        viewer.receive(bye, now: .zero)
        viewer.receive(bye, now: .zero)
        #expect(viewer.goodbyes == 1)
        for packet in first.keyframe() { viewer.receive(packet, now: .zero) }
        #expect(viewer.frames.count == 3)
    }

    @Test func parameterSetsThatCameOnceGoBeforeEachKeyframe() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        // Parameter sets in separate packets, with a timestamp of their own.
        viewer.receive(sender.packet(FrameSource.sps, marker: false), now: .zero)
        viewer.receive(sender.packet(FrameSource.pps), now: .zero)
        #expect(viewer.frames.isEmpty)
        for _ in 0..<2 { viewer.receive(sender.packet([0x65, 0x88, 0x84, 0x21]), now: .zero) }
        #expect(viewer.frames.map(\.annexB) == [Self.keyframe, Self.keyframe])
    }

    @Test func parameterSetsMayStandInTheDescription() throws {
        let sets = "Z0LAH5WoFAFum4A=,aM48gA=="
        let world = try MediaWorld { media in
            for index in media.codecs.indices {
                let type = media.codecs[index].sendPayloadType
                media.codecs[index].remoteParameters = FormatParameters(type, [.init("sprop-parameter-sets", sets)])
            }
        }
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        viewer.receive(sender.packet([0x65, 0x88, 0x84, 0x21]), now: .zero)
        #expect(viewer.frames.map(\.annexB) == [Self.keyframe])
    }

    @Test func aPictureWithoutParameterSetsIsAskedForAgain() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        viewer.receive(sender.packet([0x65, 0x88, 0x84, 0x21]), now: .zero)
        #expect(viewer.frames.isEmpty && viewer.transport.allDrops["media-no-parameter-sets"] == 1)
        #expect(viewer.rtcp.contains { if case .fullIntraRequest = $0 { true } else { false } })
    }

    /// Frames that refer to it may already have been returned if its last packet is late.
    @Test func whatRefersToAPictureWithoutParameterSetsIsOfNoUse() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        let first = sender.packet([0x65, 0x88, 0x84, 0x21], marker: false)
        let late = sender.packet([0x65, 0x48, 0x84, 0x21])
        for packet in [first, sender.packet([0x41, 0x88]), sender.packet([0x41, 0x88]), late] {
            viewer.receive(packet, now: .zero)
        }
        #expect(viewer.frames.isEmpty && viewer.transport.allDrops["media-no-parameter-sets"] == 3)
        for packet in sender.keyframe() { viewer.receive(packet, now: .zero) }
        viewer.receive(sender.packet([0x41, 0x88]), now: .zero)
        #expect(viewer.frames.map(\.isKeyframe) == [true, false])
    }

    @Test func orientationIsToldWhenItChanges() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        let turned = VideoOrientation(quarterTurns: 3)
        let upright = try element(VideoOrientation(quarterTurns: 0), world.viewerMedia)
        let sideways = try element(turned, world.viewerMedia)
        for packet in sender.keyframe([upright]) { viewer.receive(packet, now: .zero) }
        #expect(viewer.orientations.isEmpty)
        viewer.receive(sender.packet([0x41, 0x88], [sideways]), now: .zero)
        viewer.receive(sender.packet([0x41, 0x88]), now: .zero)
        viewer.receive(sender.packet([0x41, 0x88], [sideways]), now: .zero)
        #expect(viewer.orientations == [turned] && viewer.frames.count == 4)
    }

    @Test func decoderFailureAsksForAKeyframe() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        for packet in sender.keyframe() { viewer.receive(packet, now: .zero) }
        viewer.transport.decoderFailed(on: world.view, now: .zero + .milliseconds(5))
        viewer.drain()
        let requests = viewer.rtcp.compactMap { packet in
            if case .fullIntraRequest(let request) = packet { request } else { nil }
        }
        #expect(requests.map { $0.entries.map(\.ssrc) } == [[world.stream.ssrc]])
        viewer.receive(sender.packet([0x41, 0x88]), now: .zero + .milliseconds(6))
        #expect(viewer.frames.count == 1)
        for packet in sender.keyframe() { viewer.receive(packet, now: .zero + .milliseconds(7)) }
        #expect(viewer.frames.count == 2)
    }

    @Test func feedbackIsCompoundUnlessThePeerTakesLess() throws {
        for isReduced in [true, false] {
            let world = try MediaWorld { $0.hasReducedSizeRTCP = isReduced }
            var viewer = world.viewer
            var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
            for packet in sender.keyframe() { viewer.receive(packet, now: .zero) }
            _ = sender.packet([0x41, 0x88])
            viewer.receive(sender.packet([0x41, 0x88]), now: .zero)
            let kinds = try #require(viewer.sent.last).prefix(2)
            // A generic NACK: RTPFB, format 1; otherwise a receiver report first.
            #expect(Array(kinds) == (isReduced ? [0x81, 205] : [0x80, 201]))
            let nack = viewer.rtcp.compactMap { packet in
                if case .genericNACK(let nack) = packet { nack } else { nil }
            }
            #expect(nack.map(\.lost) == [[103]] && nack.first?.media == world.stream.ssrc)
        }
    }

    @Test func probesAndStrayRetransmissions() throws {
        let world = try MediaWorld()
        var viewer = world.viewer
        var again = Sender(media: world.viewerMedia, ssrc: world.stream.retransmissionSSRC)
        again.type = world.viewerMedia.codecs[0].receiveRetransmissionType
        viewer.receive(again.packet([0, 100, 0x65, 0x88]), now: .zero)
        #expect(viewer.transport.allDrops["media-stray-retransmission"] == 1)
        var sender = Sender(media: world.viewerMedia, ssrc: world.stream.ssrc)
        for packet in sender.keyframe() { viewer.receive(packet, now: .zero) }
        viewer.receive(again.packet([]), now: .zero)
        viewer.receive(again.packet([0]), now: .zero)
        #expect(viewer.transport.allDrops["media-probe"] == 2)
        // Padding alone.
        var padded = again.packet([0, 0, 0, 4])
        padded[0] |= 0x20
        viewer.receive(padded, now: .zero)
        #expect(viewer.transport.allDrops["media-probe"] == 3)
        // Far from all that came, and of another stream than the one that is received.
        viewer.receive(again.packet([0x60, 0, 0x41, 0x88]), now: .zero)
        again.ssrc = SSRC(0xF00D)
        viewer.receive(again.packet([0, 103, 0x41, 0x88]), now: .zero)
        #expect(viewer.transport.allDrops["media-stray-retransmission"] == 3)
        // The next packet got lost, and comes in this way.
        again.ssrc = world.stream.retransmissionSSRC
        viewer.receive(again.packet([0, 103, 0x41, 0x88]), now: .zero)
        #expect(viewer.frames.count == 2)
    }

    @Test func audioPassesThrough() throws {
        var host = Peer("host")
        var viewer = Peer("viewer")
        let stream = host.stream()
        let sound = try host.negotiation.addTrack(.audio, stream, receives: false)
        try host.exchange(with: &viewer)
        let sent = try #require(host.negotiation.agreement?.media)
        let heard = try #require(viewer.negotiation.agreement?.media)
        var a = MediaEnd("host", sent, [sound: stream])
        var b = MediaEnd("viewer", heard)
        #expect(a.keyframesNeeded == 0)
        for index in 0..<100 as Range<UInt32> {
            let now = Instant.zero + .milliseconds(20 * Int64(index))
            a.transport.send(
                audio: [0xF8, UInt8(index), 3], timestamp: index * 960, marker: index == 0, on: sound, now: now)
            a.tick(now: now)
            while let packet = a.pollDatagram(now: now) {
                // One packet in twenty is lost.
                if index % 20 != 10 || RTCPPacket.isRTCP(packet.span.bytes) { b.receive(packet, now: now) }
            }
            b.tick(now: now)
            while let packet = b.pollDatagram(now: now) { a.receive(packet, now: now) }
        }
        #expect(b.packets.count == 95)
        #expect(b.packets.map { $0.bytes[$0.payload][$0.payload.lowerBound + 1] } == (0..<100).filter { $0 % 20 != 10 })
        let type = try #require(b.packets.first).payloadType
        #expect(b.packets.first?.marker == true)
        #expect(heard.flatMap(\.codecs).first { $0.receivePayloadType == type }?.codec.encoding == "opus")
        let ticks = try #require(b.packets.last).timestamp &- b.packets[0].timestamp
        #expect(ticks == 95_040)
        let inbound = try #require(b.transport.inbound(heard[0].transceiver))
        #expect(inbound.packets == 95 && inbound.packetsLost == 5 && inbound.jitter < .milliseconds(2))
        let outbound = try #require(a.transport.outbound(sound))
        #expect(outbound.packets == 100 && outbound.packetsLost > 0 && outbound.bytes == 300)
        #expect(outbound.roundTrip.map { $0 < .milliseconds(1) } == true)
        // One sender report a second, each for 50 packets and with a clock of 48 kHz.
        let reports = a.rtcp.compactMap { packet in
            if case .senderReport(let report) = packet { report } else { nil }
        }
        #expect(reports.count >= 2)
        let elapsed = Double(reports[1].ntpTime - reports[0].ntpTime) / 0x1p32
        let counted = Double(reports[1].rtpTimestamp &- reports[0].rtpTimestamp)
        #expect(abs(counted - elapsed * 48_000) < 48)
    }
}
