import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioSDP
import Testing

/// The dependency descriptor between two ends, and the losses reported by the peer's app.
@Suite struct DependencyMediaTests {
    private static let uri = DependencyDescriptor.uri
    private static let id: UInt8 = 12

    /// A host to which the extension was offered with this ID.
    private static func world(id: UInt8 = id, parity: ParityScheme = .none) throws -> MediaWorld {
        try MediaWorld(parity: (parity, parity)) { media in
            var agreed = media.extensions[0]
            agreed.id = id
            agreed.uri = uri
            agreed.canSend = true
            agreed.canReceive = false
            media.extensions.append(agreed)
        }
    }

    private static func descriptor(of packet: [UInt8]) -> DependencyDescriptor? {
        RTPHeader.parse(packet.span.bytes).flatMap {
            DependencyDescriptor(id: id, of: $0, in: packet.span.bytes)
        }
    }

    // MARK: Negotiation

    @Test("a browser that offers it is sent it, in video alone, and sends none") func answered() throws {
        var host = Peer("host")
        let id = try host.negotiation.addTrack(.video, host.stream(), receives: false)
        let other = "a=extmap:6 http://www.webrtc.org/experiments/rtp-hdrext/video-content-type"
        let offer = try Descriptions.session(
            Descriptions.chromium, replacing: other, with: "a=extmap:12 \(Self.uri)\n\(other)")
        let answer = try host.answer(offer)
        let agreed = try #require(host.negotiation.agreement?.media(id)?.headerExtension(Self.uri))
        #expect(agreed.id == 12 && agreed.canSend && !agreed.canReceive)
        let lines = answer.media.map { section in
            section.attributes.values(of: ExtensionMap.self).filter { $0.uri == Self.uri }
        }
        #expect(lines.map(\.count) == [1, 0, 0])
        #expect(lines[0].first?.id == 12 && lines[0].first?.direction == .sendonly)
    }

    @Test("who does not offer it gets none, and it is not offered") func notOffered() throws {
        for text in [Descriptions.chromium, Descriptions.firefox] {
            var host = Peer("host")
            let id = try host.negotiation.addTrack(.video, host.stream())
            _ = try host.answer(try Descriptions.session(text))
            #expect(host.negotiation.agreement?.media(id)?.headerExtension(Self.uri) == nil)
        }
        var host = Peer("host")
        _ = try host.negotiation.addTrack(.video, host.stream())
        let offered = try host.offer().media[0].attributes.values(of: ExtensionMap.self)
        #expect(!offered.isEmpty && offered.allSatisfy { $0.uri != Self.uri })
    }

    @Test("with a number of the two-byte form it is not sent, as only the one-byte form changes from packet to packet")
    func twoByteForm() throws {
        var world = try Self.world(id: 15)
        #expect(!world.host.transport.describesFrames(on: world.screen))
        world.host.source = FrameSource(world.screen)
        world.host.tick(now: .zero)
        #expect(!world.host.rtp.isEmpty)
        for (header, bytes) in world.host.rtp {
            #expect(RTPHeaderExtension.elements(of: header, in: bytes.span.bytes).allSatisfy { $0.id != 15 })
        }
    }

    // MARK: Packets

    @Test func everyPacketOfAFrameHasIt() throws {
        var world = try Self.world()
        #expect(world.host.transport.describesFrames(on: world.screen))
        world.host.source = FrameSource(world.screen)
        for number in 0..<4 { world.host.tick(now: .zero + .milliseconds(33 * number)) }
        let packets = world.host.rtp.filter { $0.header.ssrc == world.stream.ssrc }
        let described = packets.compactMap { Self.descriptor(of: $0.bytes) }
        #expect(packets.count > 16 && described.count == packets.count)
        #expect(described.filter(\.isFirst).map(\.number) == [0, 1, 2, 3])
        #expect(described.filter(\.isLast).map(\.number) == [0, 1, 2, 3])
        #expect(described.filter { $0.structure != nil }.map(\.number) == [0])
        #expect(packets.map(\.header.marker) == described.map(\.isLast))
        // The other extensions are the same as without it.
        let ids = packets.map { packet in
            Set(RTPHeaderExtension.elements(of: packet.header, in: packet.bytes.span.bytes).map(\.id))
        }
        let plain = try MediaWorld()
        let usual = [AbsoluteSendTime.uri, TransportSequence.uri, MediaIDExtension.uri, PlayoutDelay.uri]
            .compactMap { plain.hostMedia.headerExtension($0)?.id }
        #expect(ids.allSatisfy { $0 == Set(usual + [Self.id]) })
    }

    @Test("packets stay within the limit, and payloads as long whatever the picture's orientation") func limits() throws
    {
        var world = try Self.world(parity: .flexFEC)
        let transport = world.host.transport
        let largest = transport.largestPayload(on: world.screen)
        #expect(try #require(largest) < #require(try MediaWorld().host.transport.largestPayload(on: world.screen)))
        transport.turn(VideoOrientation(quarterTurns: 1), on: world.screen)
        #expect(transport.largestPayload(on: world.screen) == largest)
        world.host.source = FrameSource(world.screen)
        for number in 0..<4 { world.host.tick(now: .zero + .milliseconds(33 * number)) }
        let longest = world.host.rtp.map(\.bytes.count).max()
        #expect(try #require(longest) <= transport.largestPacket)
    }

    // MARK: Losses

    /// Sends `count` frames, and returns their RTP timestamps.
    private static func send(_ count: Int, in world: inout MediaWorld) -> [UInt32] {
        world.host.source = FrameSource(world.screen)
        for number in 0..<count { world.host.tick(now: .zero + .milliseconds(33 * number)) }
        world.host.source = nil
        let ssrc = world.stream.ssrc
        return world.host.rtp.filter { $0.header.ssrc == ssrc && descriptor(of: $0.bytes)?.isFirst == true }
            .map(\.header.timestamp)
    }

    @Test("the app's report costs a repair picture, asked for until it comes; the browser's PLI costs nothing")
    func repairNeeded() throws {
        var world = try Self.world()
        let transport = world.host.transport
        transport.setTakesRepairs(true, on: world.screen, now: .zero)
        let timestamps = Self.send(6, in: &world)
        #expect(timestamps.count == 6)
        let before = world.host.keyframesNeeded
        let now = Instant.zero + .milliseconds(170)
        transport.pictureLost(after: timestamps[2], on: world.screen, now: now)
        world.host.drain()
        #expect(world.host.repairs.map(\.since) == [2])
        var loss: [UInt8] = []
        RTCPPacket.pictureLoss(PictureLossIndication(sender: SSRC(1), media: world.stream.ssrc)).write(into: &loss)
        world.host.receive(loss, now: now)
        #expect(world.host.keyframesNeeded == before)
        #expect(transport.allDrops["media-unheeded-picture-loss"] == 1)
        let end = now + .milliseconds(1100)
        while let due = world.host.deadline, due.at <= end { world.host.tick(now: max(now, due.at)) }
        #expect((8...14).contains(world.host.repairs.count))
        #expect(Set(world.host.repairs.map(\.since)) == [2])
        // No repair picture was made within a second.
        #expect(world.host.keyframesNeeded == before + 1)
    }

    @Test("without repair pictures the report costs a keyframe, and so does PLI") func keyframeNeeded() throws {
        var world = try Self.world()
        let transport = world.host.transport
        let timestamps = Self.send(3, in: &world)
        let before = world.host.keyframesNeeded
        transport.pictureLost(after: timestamps[1], on: world.screen, now: .zero + .seconds(2))
        world.host.drain()
        #expect(world.host.keyframesNeeded == before + 1 && world.host.repairs.isEmpty)
        var loss: [UInt8] = []
        RTCPPacket.pictureLoss(PictureLossIndication(sender: SSRC(1), media: world.stream.ssrc)).write(into: &loss)
        world.host.receive(loss, now: .zero + .seconds(3))
        #expect(world.host.keyframesNeeded == before + 2)
    }
}
