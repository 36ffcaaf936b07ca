import HelioBitstream
import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioSDP
import Testing

/// The sent packets, checked byte by byte.
@Suite struct MediaPacketTests {
    private static let at = Instant.zero + .milliseconds(1500)

    private static func slice(
        _ index: UInt64, isKeyframe: Bool = true, _ units: [[UInt8]] = [[0x65, 0x88, 0x84, 0x21]]
    ) -> EncodedSlice {
        EncodedSlice(
            frameIndex: index, annexB: units.flatMap { AnnexB.startCode + $0 }, isFirst: true, isLast: true,
            isKeyframe: isKeyframe, timing: FrameTiming(damaged: at, captured: at))
    }

    @Test func aPacketWithAllItsExtensions() throws {
        var world = try MediaWorld()
        world.host.transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        let packet = try #require(world.host.sent.first)
        let ids = Dictionary(uniqueKeysWithValues: world.hostMedia.extensions.map { ($0.uri, $0.id) })
        let time = try #require(ids[AbsoluteSendTime.uri])
        let number = try #require(ids[TransportSequence.uri])
        let mid = try #require(ids[MediaIDExtension.uri])
        let delay = try #require(ids[PlayoutDelay.uri])
        let type = try #require(world.hostMedia.codecs.first?.sendPayloadType.rawValue)
        // Version 2, extension; marker and type.
        #expect(packet[0] == 0x90 && packet[1] == 0x80 | type)
        let ssrc = world.stream.ssrc.rawValue
        #expect(packet[8..<12].elementsEqual((0..<4).map { UInt8(truncatingIfNeeded: ssrc >> (24 - 8 * $0)) }))
        // 4 + 3 + 2 + 4 bytes of elements, 13, and 3 of padding: four words.
        #expect(packet[12..<16].elementsEqual([0xBE, 0xDE, 0, 4]))
        // 1.5 s in 2^-18 s is 0x60000.
        #expect(packet[16..<20].elementsEqual([time << 4 | 2, 0x06, 0x00, 0x00]))
        #expect(packet[20..<23].elementsEqual([number << 4 | 1, 0, 1]))
        #expect(packet[23..<25].elementsEqual([mid << 4, UInt8(ascii: "0")]))
        #expect(packet[25..<29].elementsEqual([delay << 4 | 2, 0, 0, 0]))
        #expect(packet[29..<32].elementsEqual([0, 0, 0]))
        #expect(packet[32...].elementsEqual([0x65, 0x88, 0x84, 0x21]))
    }

    @Test func aPacketThatIsSentAgain() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        let (first, original) = try #require(world.host.rtp.first)
        let lost = first.sequence
        var nack: [UInt8] = []
        RTCPPacket.genericNACK(GenericNACK(sender: SSRC(1), media: world.stream.ssrc, lost: [lost])).write(into: &nack)
        transport.handle(.rtcp(nack), now: Self.at + .milliseconds(250))
        world.host.drain()
        let retransmissionSSRC = world.stream.retransmissionSSRC
        let again = try #require(world.host.rtp.first { $0.header.ssrc == retransmissionSSRC })
        let type = try #require(world.hostMedia.codecs.first?.sendRetransmissionType)
        #expect(again.header.payloadType == type)
        #expect(again.header.timestamp == first.timestamp && again.header.marker)
        // The send time and the transport-wide number are the retransmission's own: 1.75 s is 0x70000, and it is the
        // second packet.
        #expect(again.bytes[17..<20].elementsEqual([0x07, 0x00, 0x00]) && again.bytes[21..<23].elementsEqual([0, 2]))
        #expect(again.bytes.count == original.count + 2)
        #expect(again.bytes[32..<34].elementsEqual(original[2..<4]))
        #expect(again.bytes[34...].elementsEqual(original[32...]))
        // Requested again before the first retransmission can have arrived. (A copy beside it probes for losses at the
        // tail.)
        let before = world.host.rtp.count { $0.header.ssrc == retransmissionSSRC }
        transport.handle(.rtcp(nack), now: Self.at + .milliseconds(251))
        world.host.drain()
        #expect(world.host.rtp.count { $0.header.ssrc == retransmissionSSRC } == before)
        #expect(transport.allDrops["resend-tooSoon"] == 1)
    }

    @Test func aPacketsArrayIsMadeOnce() throws {
        let world = try MediaWorld()
        var capacities: [Int] = []
        world.host.transport.send(
            Self.slice(0, [[0x65, 0x88] + [UInt8](repeating: 7, count: 5000)]), codec: .h264, on: world.screen,
            now: Self.at)
        while let output = world.host.transport.poll() {
            guard case .rtp(let packet, _, _) = output else { continue }
            capacities.append(packet.capacity - packet.count)
            #expect(packet.count <= 1180)
        }
        #expect(capacities.count == 5 && capacities.allSatisfy { $0 >= 20 })
    }

    @Test func orientationGoesWithEachPacketOnceItIsTold() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        transport.turn(VideoOrientation(quarterTurns: 1), on: world.screen)
        transport.send(Self.slice(1), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        let id = try #require(world.hostMedia.headerExtension(VideoOrientation.uri)?.id)
        let values = world.host.rtp.map { VideoOrientation(id: id, of: $0.header, in: $0.bytes.span.bytes) }
        #expect(values == [nil, VideoOrientation(quarterTurns: 1)])
    }

    @Test func longNamesOfSectionsStayAtHome() throws {
        var world = try MediaWorld { $0.mid = String(repeating: "m", count: 40) }
        world.host.transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        let packet = try #require(world.host.rtp.first)
        let id = try #require(world.hostMedia.headerExtension(MediaIDExtension.uri)?.id)
        #expect(MediaIDExtension(id: id, of: packet.header, in: packet.bytes.span.bytes) == nil)
        #expect(packet.header.extensionProfile == RTPHeaderExtension.oneByteProfile)
    }

    @Test func theSenderReport() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        let due = Self.at + .seconds(1)
        transport.tick(now: due)
        world.host.drain()
        let timestamp = try #require(world.host.rtp.first?.header.timestamp)
        let report = try #require(
            world.host.rtcp.compactMap { packet in
                if case .senderReport(let report) = packet { report } else { nil }
            }.first)
        #expect(report.ssrc == world.stream.ssrc && report.packetCount == 1 && report.octetCount == 4)
        // 2.5 s after the clock's start, which is 3.9e9 s after 1900.
        #expect(report.ntpTime == UInt64(3_900_000_002) << 32 | 0x8000_0000)
        #expect(report.rtpTimestamp == timestamp &+ 90_000)
        let names = world.host.rtcp.compactMap { packet in
            if case .sourceDescription(let chunks) = packet { chunks.first?.cname } else { nil }
        }
        #expect(names == ["host"])
    }

    /// Only differences of an app's clock are meaningful: a sender report has the clock's time when the report is sent,
    /// whatever its epoch, and each track has its own clock.
    @Test func eachTracksClockBeginsAnywhere() throws {
        var host = Peer("host", MediaWorld.configuration("host"))
        var viewer = Peer("viewer", MediaWorld.configuration("viewer"))
        let streams = (host.stream(), host.stream())
        let tracks = (
            try host.negotiation.addTrack(.video, streams.0, receives: false),
            try host.negotiation.addTrack(.video, streams.1, receives: false)
        )
        try host.exchange(with: &viewer)
        let media = try #require(host.negotiation.agreement?.media)
        var end = MediaEnd("host", media, [tracks.0: streams.0, tracks.1: streams.1])
        func slice(_ clock: Instant) -> EncodedSlice {
            var slice = Self.slice(0)
            slice.timing = FrameTiming(damaged: clock, captured: clock)
            return slice
        }
        // One clock shows an hour and the other three days, 400 ms and 100 ms before the sender reports.
        end.transport.send(slice(.zero + .seconds(3600)), codec: .h264, on: tracks.0, now: Self.at)
        end.transport.send(
            slice(.zero + .seconds(259_200)), codec: .h264, on: tracks.1, now: Self.at + .milliseconds(300))
        end.drain()
        end.tick(now: Self.at + .milliseconds(400))
        end.tick(now: Self.at + .seconds(2))
        let reports = end.rtcp.compactMap { packet in
            if case .senderReport(let report) = packet { report } else { nil }
        }
        for (stream, given) in [(streams.0, Duration.zero), (streams.1, .milliseconds(300))] {
            let report = try #require(reports.last { $0.ssrc == stream.ssrc })
            let sent = try #require(end.rtp.first { $0.header.ssrc == stream.ssrc }).header.timestamp
            let elapsed = Duration.seconds(2) - given
            #expect(report.rtpTimestamp &- sent == UInt32(elapsed.nanoseconds / 1000 * 9 / 100))
        }
    }

    /// Browsers show a picture with a playout delay of zero as soon as possible; a picture that is synchronised with
    /// sound may be delayed.
    @Test func whatPlaysInStepWithSoundAsksForNoDelay() throws {
        let sent = try SentTracks([(.video, "screen"), (.video, "camera"), (.audio, "camera")])
        let (alone, together) = (sent.ids[0], sent.ids[1])
        let (streams, media) = (sent.streams, sent.media)
        var end = MediaEnd("host", media, streams)
        for (id, hasDelay) in [(alone, true), (together, false)] {
            end.transport.send(Self.slice(0), codec: .h264, on: id, now: Self.at)
            end.drain()
            let section = try #require(media.first { $0.transceiver == id })
            let number = try #require(section.headerExtension(PlayoutDelay.uri)?.id)
            let packet = try #require(end.rtp.last { $0.header.ssrc == streams[id]?.ssrc })
            let found = RTPHeaderExtension.find(id: number, of: packet.header, in: packet.bytes.span.bytes)
            #expect((found != nil) == hasDelay)
        }
    }

    @Test func nothingLeavesBeforeItCanBeProtected() throws {
        let world = try MediaWorld()
        var host = MediaEnd("host", [world.hostMedia], [world.screen: world.stream], isOpen: false)
        host.transport.send(Self.slice(0), codec: .h264, on: world.screen, now: Self.at)
        host.tick(now: Self.at + .seconds(5))
        host.transport.close(now: Self.at + .seconds(5))
        host.drain()
        #expect(host.sent.isEmpty && host.keyframesNeeded == 0)
        #expect(host.transport.allDrops == ["media-not-sending": 1])
        host.transport.open(now: Self.at + .seconds(6))
        host.drain()
        #expect(host.keyframesNeeded == 1)
    }

    @Test func framesWaitForAKeyframe() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        #expect(world.host.keyframesNeeded == 1)
        transport.send(Self.slice(4, isKeyframe: false), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        #expect(world.host.sent.isEmpty && transport.allDrops["media-awaiting-keyframe"] == 1)
        // Asked for again, since none came for so long.
        #expect(world.host.keyframesNeeded == 2)
        transport.send(Self.slice(5), codec: .h264, on: world.screen, now: Self.at)
        transport.send(Self.slice(6, isKeyframe: false), codec: .h264, on: world.screen, now: Self.at)
        world.host.drain()
        #expect(world.host.rtp.count == 2)
        let statistics = try #require(transport.outbound(world.screen))
        #expect(statistics.frames == 2 && statistics.keyframes == 1 && statistics.packets == 2)
    }

    @Test func keyframeRequestsAreSpaced() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        var now = Self.at
        transport.tick(now: now)
        transport.send(Self.slice(0), codec: .h264, on: world.screen, now: now)
        func ask(_ packet: RTCPPacket) {
            var bytes: [UInt8] = []
            packet.write(into: &bytes)
            transport.handle(.rtcp(bytes), now: now)
        }
        let loss = RTCPPacket.pictureLoss(.init(sender: SSRC(1), media: world.stream.ssrc))
        for _ in 0..<10 { ask(loss) }
        world.host.drain()
        #expect(world.host.keyframesNeeded == 2)
        let due = now + .milliseconds(100)
        // Other events that are due before it are no requests.
        while let next = transport.deadline, next.at < due { transport.tick(now: next.at) }
        world.host.drain()
        #expect(world.host.keyframesNeeded == 2)
        #expect(transport.deadline?.at == due)
        now = due
        transport.tick(now: now)
        world.host.drain()
        #expect(world.host.keyframesNeeded == 3)
        now = now + .seconds(1)
        // A repeated FIR has the same sequence number.
        func fir(_ number: UInt8) -> RTCPPacket {
            .fullIntraRequest(.init(sender: SSRC(1), entries: [.init(ssrc: world.stream.ssrc, sequence: number)]))
        }
        ask(fir(3))
        now = now + .seconds(1)
        ask(fir(3))
        world.host.drain()
        #expect(world.host.keyframesNeeded == 4)
        ask(fir(4))
        world.host.drain()
        #expect(world.host.keyframesNeeded == 5)
        let statistics = try #require(transport.outbound(world.screen))
        #expect(statistics.pictureLossIndications == 10 && statistics.fullIntraRequests == 2)
    }

    @Test func aSliceIsCutOnceForManyPeers() throws {
        let slice = Self.slice(
            0, [FrameSource.sps, FrameSource.pps, [0x65, 0x88] + (0..<9000).map { UInt8($0 % 255 + 1) }])
        var worlds = [try MediaWorld(), try MediaWorld(extensions: []), try MediaWorld { $0.mid = "a-longer-name" }]
        let sizes = worlds.compactMap { $0.host.transport.largestPayload(on: $0.screen) }
        #expect(Set(sizes).count == 3)
        let shared = PacketizedSlice(slice, codec: .h264, largestPayload: try #require(sizes.min()))
        let expected = shared.payloads.map { Array(shared.bytes[$0.range]) }
        for index in worlds.indices {
            worlds[index].host.transport.send(shared, on: worlds[index].screen, now: Self.at)
            worlds[index].host.drain()
            let packets = worlds[index].host.rtp
            #expect(packets.map { Array($0.bytes[$0.header.length...]) } == expected)
            #expect(packets.map(\.header.marker) == Array(repeating: false, count: packets.count - 1) + [true])
            worlds[index].settle(at: Self.at)
            #expect(worlds[index].viewer.frames.map(\.annexB) == [slice.annexB])
        }
        // A slice that is packetized for larger packets than a peer's is not sent to it.
        let large = PacketizedSlice(slice, codec: .h264, largestPayload: try #require(sizes.max()))
        worlds[2].host.transport.send(large, on: worlds[2].screen, now: Self.at)
        #expect(worlds[2].host.transport.allDrops["media-payload-too-large"] == 1)
    }

    @Test func aCodecThatThePeerDoesNotTake() throws {
        let world = try MediaWorld()
        world.host.transport.send(Self.slice(0), codec: .h265, on: world.screen, now: Self.at)
        #expect(world.host.transport.allDrops == ["media-refused-codec": 1])
        let types = world.hostMedia.codecs.map(\.sendPayloadType)
        let last = try #require(types.last)
        #expect(types.count > 1)
        #expect(world.host.transport.choose(last, on: world.screen))
        #expect(!world.host.transport.choose(PayloadType(1), on: world.screen))
        world.host.transport.send(Self.slice(1), codec: .h264, on: world.screen, now: Self.at)
        var host = world.host
        host.drain()
        #expect(host.rtp.map(\.header.payloadType) == types.suffix(1))
    }

    @Test func goodbyes() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        transport.send(
            Self.slice(0, [FrameSource.sps, FrameSource.pps, [0x65, 0x88, 0x84]]), codec: .h264, on: world.screen,
            now: Self.at)
        world.settle(at: Self.at)
        #expect(world.viewer.frames.count == 1)
        // The transceiver sends with another SSRC from now on.
        var other = world.stream
        other.ssrc = SSRC(77)
        transport.apply([world.hostMedia], senders: [world.screen: other], now: Self.at)
        world.settle(at: Self.at)
        #expect(world.viewer.goodbyes == 1)
        transport.send(
            Self.slice(1, [FrameSource.sps, FrameSource.pps, [0x65, 0x88, 0x85]]), codec: .h264, on: world.screen,
            now: Self.at)
        world.settle(at: Self.at)
        #expect(world.viewer.frames.count == 2)
        #expect(world.viewer.transport.inbound(world.view)?.ssrc == SSRC(77))
        transport.close(now: Self.at)
        world.settle(at: Self.at)
        #expect(world.viewer.goodbyes == 2)
        transport.tick(now: Self.at + .seconds(9))
        #expect(transport.poll() == nil && transport.deadline == nil)
    }

    @Test func agreementsLeaveWhatGoesOnAlone() throws {
        var world = try MediaWorld()
        let transport = world.host.transport
        let picture: [[UInt8]] = [FrameSource.sps, FrameSource.pps, [0x65, 0x88, 0x84]]
        transport.send(Self.slice(0, picture), codec: .h264, on: world.screen, now: Self.at)
        transport.apply([world.hostMedia], senders: [world.screen: world.stream], now: Self.at)
        world.viewer.transport.apply([world.viewerMedia], senders: [:], now: Self.at)
        transport.send(
            Self.slice(1, isKeyframe: false, [[0x41, 0x88, 0x84]]), codec: .h264, on: world.screen, now: Self.at)
        world.settle(at: Self.at)
        #expect(world.host.rtp.map { $0.header.sequence &- world.host.rtp[0].header.sequence } == [0, 1])
        #expect(world.viewer.frames.map(\.isKeyframe) == [true, false])
        // While paused, nothing is sent; afterwards the stream begins with a keyframe.
        var paused = world.hostMedia
        paused.direction = .inactive
        transport.apply([paused], senders: [world.screen: world.stream], now: Self.at)
        transport.send(Self.slice(2, picture), codec: .h264, on: world.screen, now: Self.at)
        world.settle(at: Self.at)
        #expect(world.host.rtp.count == 2 && transport.allDrops["media-not-sending"] == 1)
        let asked = world.host.keyframesNeeded
        transport.apply([world.hostMedia], senders: [world.screen: world.stream], now: Self.at + .seconds(1))
        world.settle(at: Self.at + .seconds(1))
        #expect(world.host.keyframesNeeded == asked + 1)
        transport.send(Self.slice(3, isKeyframe: false), codec: .h264, on: world.screen, now: Self.at + .seconds(1))
        transport.send(Self.slice(4, picture), codec: .h264, on: world.screen, now: Self.at + .seconds(1))
        world.settle(at: Self.at + .seconds(1))
        #expect(world.viewer.frames.map(\.frameIndex) == [0, 1, 2])
    }
}
