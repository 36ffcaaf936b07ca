import HelioCore
import HelioMedia
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSCTP
import HelioSDP
import HelioSimulation
import Testing

/// Media over whole connections: negotiated, with DTLS-SRTP.
struct PeerMediaTests {
    @Test(arguments: [0, 0.02, 0.1])
    func framesArriveWhole(loss: Double) throws {
        let pair = try MediaPair(seed: 21, .init(loss: loss, delay: .milliseconds(30), reorder: loss))
        let (a, b) = (pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try pair.world.run(for: .seconds(8))
        try pair.expectFrames(atLeast: loss < 0.1 ? 0.99 : 0.9)
        let inbound = try #require(b.connection.media?.inbound(pair.view))
        let outbound = try #require(a.connection.media?.outbound(pair.screen))
        #expect((inbound.packetsRecovered > 0) == (loss > 0) && (outbound.retransmittedPackets > 0) == (loss > 0))
        #expect(inbound.ssrc == outbound.ssrc && (outbound.nackedPackets > 0) == (loss > 0))
        if loss == 0 {
            #expect(a.keyframesNeeded == 1 && a.sources[pair.screen]?.keyframes == 1)
            #expect(a.connection.allDrops.isEmpty && b.connection.allDrops.isEmpty, "\(b.connection.allDrops)")
        }
        // Measured by ICE, as the viewer's reports contain no round trip.
        if loss == 0 {
            let time = try #require(b.connection.roundTrip)
            #expect((.milliseconds(60)...(.milliseconds(66))).contains(time))
        }
    }

    /// A host receives no pictures from a viewer, whatever the viewer offers and sends.
    @Test func anEndThatOnlySendsHoldsNothing() throws {
        func prepare(_ world: PeerWorld) throws {
            for _ in 0..<15 {
                _ = try world.call(world.a) { try $0.addTrack(.video, stream: "s", receives: false, now: $1) }
            }
            try world.call(world.b) { _ = try $0.addTrack(.video, stream: "t", receives: true, now: $1) }
            // The viewer sends as it offered.
            world.changesAnswer = { $0.replacing("a=inactive", with: "a=recvonly") }
        }
        let pair = try MediaPair(seed: 27, configure: { $1.receivesMedia = false }, prepare: prepare)
        let (a, b) = (pair.world.a, pair.world.b)
        let agreed = try #require(b.agreement?.media)
        #expect(agreed.count == 16 && agreed.allSatisfy { !$0.direction.receives })
        pair.start(a, pair.screen)
        try pair.world.run(for: .seconds(2))
        let drops = b.connection.allDrops
        #expect((a.sources[pair.screen]?.count ?? 0) > 50)
        #expect(agreed.allSatisfy { b.connection.media?.inbound($0.transceiver) == nil })
        #expect(drops["media-unknown-mid", default: 0] > 50, "\(drops)")
        #expect(b.framesOf.isEmpty && b.packets.isEmpty)
    }

    /// Each lost packet is requested once per round trip, however long that is.
    @Test func aLongWayIsNotAskedTwice() throws {
        let pair = try MediaPair(seed: 22, .init(delay: .milliseconds(150)))
        pair.start(pair.world.a, pair.screen)
        try pair.world.run(for: .seconds(2))
        pair.world.a.link.conditions.loss = .random(0.03)
        try pair.world.run(for: .seconds(6))
        let inbound = try #require(pair.world.b.connection.media?.inbound(pair.view))
        let outbound = try #require(pair.world.a.connection.media?.outbound(pair.screen))
        #expect(inbound.packetsLost > 10)
        #expect(Double(outbound.nackedPackets) < 1.3 * Double(inbound.packetsLost), "\(outbound) \(inbound)")
        try pair.expectFrames(atLeast: 0.9)
    }

    @Test func bothDirections() throws {
        let pair = try MediaPair(seed: 23, .init(loss: 0.02), sendsBothWays: true)
        let (a, b) = (pair.world.a, pair.world.b)
        #expect(a.agreement?.media.count == 1 && a.agreement?.media.first?.direction == .sendrecv)
        pair.start(a, pair.screen)
        pair.start(b, pair.view)
        try pair.world.run(for: .seconds(5))
        try pair.expectFrames(atLeast: 0.97)
        let source = try #require(b.sources[pair.view])
        #expect(MediaPair.fault(a.frames, of: source) == nil && a.frames.count > 140)
    }

    @Test func tracksComeAndGoInMidSession() throws {
        let pair = try MediaPair(seed: 24)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try world.run(for: .seconds(1))
        let second = try world.call(a) { try $0.addTrack(.video, stream: "camera", now: $1) }
        let sound = try world.call(a) { try $0.addTrack(.audio, stream: "camera", now: $1) }
        #expect(a.timesNeeded == 2)
        // The second track is not negotiated yet.
        let early = try #require(FrameSource.first(second, at: world.now))
        world.call(a) { $0.send(early, codec: .h264, on: second, now: $1) }
        #expect(a.connection.allDrops == ["media-not-sending": 1])
        try world.offer(from: a)
        #expect(try world.run(for: .seconds(2)) { a.agreements == 2 && b.agreements == 2 })
        pair.start(a, second)
        for number in 0..<50 as Range<UInt32> {
            world.call(a) { $0.send(audio: [UInt8(number)], timestamp: 960 * number, on: sound, now: $1) }
            try world.run(for: .milliseconds(20))
        }
        #expect(b.packets.map { Array($0.bytes[$0.payload]) } == (0..<50 as Range<UInt8>).map { [$0] })
        let view = try #require(b.agreement?.media[1].transceiver)
        #expect(MediaPair.fault(b.framesOf[view] ?? [], of: try #require(a.sources[second])) == nil)

        // The first track ends; the other continues unaffected.
        try world.call(a) { try $0.stop(pair.screen, now: $1) }
        try world.offer(from: a)
        #expect(try world.run(for: .seconds(2)) { a.agreements == 3 && b.agreements == 3 })
        let before = (b.framesOf[pair.view]?.count, b.framesOf[view]?.count ?? 0)
        a.sources[pair.screen] = nil
        try world.run(for: .seconds(1))
        #expect(b.framesOf[pair.view]?.count == before.0 && (b.framesOf[view]?.count ?? 0) > before.1 + 25)
        #expect(MediaPair.fault(b.framesOf[view] ?? [], of: try #require(a.sources[second])) == nil)
        #expect(a.sources[second]?.keyframes == 1)
        let late = try #require(FrameSource.first(pair.screen, at: world.now))
        world.call(a) { $0.send(late, codec: .h264, on: pair.screen, now: $1) }
        #expect(a.connection.allDrops["media-not-sending"] == 2)

        // Closing sends an RTCP BYE for the remaining stream.
        world.call(a) { $0.close(now: $1) }
        try world.run(for: .seconds(1))
        #expect(Set(b.goodbyes).isSuperset(of: [view]))
    }

    /// Each track has its own SSRCs, which are never reused; ended tracks make room for new ones.
    @Test func aHundredTracksComeAndGo() throws {
        let pair = try MediaPair(seed: 31)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        func agree() throws {
            let count = (a.agreements, b.agreements)
            try world.offer(from: a)
            try #require(try world.run(for: .seconds(2)) { a.agreements > count.0 && b.agreements > count.1 })
        }
        for round in 0..<100 {
            let id = try world.call(a) { try $0.addTrack(.video, stream: "track \(round)", now: $1) }
            try agree()
            let view = try #require(b.agreement?.media.last { $0.transceiver != pair.view }?.transceiver)
            pair.start(a, id)
            try #require(try world.run(for: .seconds(2)) { b.framesOf[view]?.count ?? 0 > 0 }, "track \(round)")
            a.sources[id] = nil
            try world.call(a) { try $0.stop(id, now: $1) }
            try agree()
        }
        #expect(b.framesOf.count == 101)
        try pair.expectFrames(atLeast: 0.95)
        for node in [a, b] {
            let drops = node.connection.allDrops
            #expect(drops["peer-protection-failed"] == nil && drops["srtp-too-many-streams"] == nil, "\(drops)")
        }
    }

    /// A pause and its end by a change of direction.
    @Test func aPauseEndsWithAKeyframe() throws {
        let pair = try MediaPair(seed: 25)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try world.run(for: .seconds(1))
        try world.call(b) { try $0.setDirection(.inactive, of: pair.view, now: $1) }
        try world.offer(from: b)
        #expect(try world.run(for: .seconds(2)) { a.agreements == 2 })
        try world.run(for: .milliseconds(100))
        let count = b.frames.count
        try world.run(for: .seconds(1))
        #expect(b.frames.count == count && a.connection.allDrops["media-not-sending"] ?? 0 > 25)
        try world.call(b) { try $0.setDirection(.recvonly, of: pair.view, now: $1) }
        try world.offer(from: b)
        #expect(try world.run(for: .seconds(2)) { b.frames.count > count + 10 })
        #expect(b.frames[count].isKeyframe)
        #expect(MediaPair.fault(b.frames, of: try #require(a.sources[pair.screen])) == nil)
    }

    @Test func aDecoderThatFailedGetsAKeyframe() throws {
        let pair = try MediaPair(seed: 26)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try world.run(for: .seconds(2))
        let count = b.frames.count
        #expect(a.keyframesNeeded == 1 && b.frames.count { $0.isKeyframe } == 1)
        world.call(b) { $0.decoderFailed(on: pair.view, now: $1) }
        try world.run(for: .seconds(1))
        #expect(a.keyframesNeeded == 2 && b.frames[count...].contains { $0.isKeyframe })
        let outbound = try #require(a.connection.media?.outbound(pair.screen))
        #expect(outbound.pictureLossIndications + outbound.fullIntraRequests == 1)
    }

    /// The path is down for longer than packets are kept for retransmission.
    @Test func aLostPictureIsAskedFor() throws {
        let pair = try MediaPair(seed: 27)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try world.run(for: .seconds(2))
        a.link.partitions = [world.now..<world.now + .seconds(3)]
        try world.run(for: .seconds(3))
        let count = b.frames.count
        try world.run(for: .seconds(2))
        #expect(b.frames.count > count + 40 && b.frames[count].isKeyframe)
        #expect(a.keyframesNeeded >= 2)
        try pair.expectFrames(atLeast: 0.5)
    }

    @Test func orientationAndPlayoutDelay() throws {
        let pair = try MediaPair(seed: 28)
        let (world, a, b) = (pair.world, pair.world.a, pair.world.b)
        pair.start(a, pair.screen)
        try world.run(for: .seconds(1))
        #expect(b.orientations.isEmpty)
        a.connection.media?.turn(VideoOrientation(quarterTurns: 1), on: pair.screen)
        try world.run(for: .milliseconds(200))
        #expect(b.orientations == [VideoOrientation(quarterTurns: 1)])
        a.connection.media?.turn(VideoOrientation(quarterTurns: 0), on: pair.screen)
        try world.run(for: .seconds(1))
        #expect(b.orientations == [VideoOrientation(quarterTurns: 1), VideoOrientation(quarterTurns: 0)])
        try pair.expectFrames(atLeast: 0.97)
        // Header extensions are not encrypted: they show that playout must not be delayed.
        let id = try #require(a.agreement?.media.first?.headerExtension(PlayoutDelay.uri)?.id)
        let packets = MediaPair.packets(of: a)
        #expect(packets.count > 100)
        let delays = packets.map { PlayoutDelay(id: id, of: $0.header, in: $0.bytes.span.bytes) }
        #expect(delays.allSatisfy { $0 == PlayoutDelay.none })
    }

    /// By transport-wide sequence numbers, or without them by the viewer's own estimate.
    @Test(arguments: [true, false])
    func aNarrowPathLowersTheEstimate(numbered: Bool) throws {
        let pair = try MediaPair(seed: 29) { a, b in
            (a.mostBitrate, b.mostBitrate) = (.megabits(8), .megabits(4))
            guard !numbered else { return }
            b.headerExtensions.removeAll { $0.uri == TransportSequence.uri }
        }
        let (world, a) = (pair.world, pair.world.a)
        a.link.conditions.rate = .megabits(1)
        a.link.conditions.queueBytes = 200 * 1024
        pair.start(a, pair.screen, size: 8000)
        try world.run(for: .seconds(8))
        let least = try #require(a.bitrates.min())
        #expect(least < .megabits(2), "\(least)")
        #expect(a.connection.media?.estimatedBitrate == a.bitrates.last)
        #expect(pair.world.b.bitrates.isEmpty)
    }

    @Test(arguments: [SRTPProfile.aes128CmHmacSha1_80, .aeadAes128Gcm, .aeadAes256Gcm], [true, false])
    func everyProfile(_ profile: SRTPProfile, limitsOfferer: Bool) throws {
        let pair = try MediaPair(seed: 30, .init(loss: 0.02)) { a, b in
            if limitsOfferer { a.srtpProfiles = [profile] } else { b.srtpProfiles = [profile] }
        }
        pair.start(pair.world.a, pair.screen)
        try pair.world.run(for: .seconds(3))
        try pair.expectFrames(atLeast: 0.97)
        #expect(pair.world.nodes.allSatisfy { !$0.connection.allDrops.keys.contains { $0.hasPrefix("srtp-") } })
    }

    @Test func withoutACommonProfileItSaysSo() throws {
        let world = PeerWorld(seed: 31) { a, b in
            a.srtpProfiles = [.aeadAes128Gcm]
            b.srtpProfiles = [.aes128CmHmacSha1_80]
        }
        try world.call(world.a) { _ = try $0.addTrack(.video, now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(20)) { world.nodes.allSatisfy { $0.connection.state == .failed } })
        #expect(world.a.failures == [.noCommonSRTPProfile] && world.b.failures == [.noCommonSRTPProfile])
    }

    /// Data channels alone need no SRTP profile.
    @Test func withoutMediaNoProfileIsNeeded() throws {
        let world = PeerWorld(seed: 32) { a, b in
            a.srtpProfiles = [.aeadAes128Gcm]
            b.srtpProfiles = [.aes128CmHmacSha1_80]
        }
        _ = try world.call(world.a) { try $0.openChannel(.init(label: "x"), now: $1) }
        try world.begin()
        #expect(try world.run(for: .seconds(5)) { world.b.channel("x") != nil })
    }

    @Test(arguments: [0, 0.05])
    func aRestartOfICEIsNotSeen(loss: Double) throws {
        let pair = try MediaPair(seed: 33, .init(loss: loss))
        let (world, a) = (pair.world, pair.world.a)
        pair.start(a, pair.screen)
        for node in [a, world.b, a] {
            try world.run(for: .seconds(1))
            try world.offer(from: node, restartsICE: true)
        }
        try world.run(for: .seconds(4))
        #expect(world.nodes.allSatisfy { $0.agreements == 4 && $0.states == [.connecting, .connected] })
        try pair.expectFrames(atLeast: loss > 0 ? 0.95 : 0.99)
        if loss == 0 { #expect(a.sources[pair.screen]?.keyframes == 1) }
    }

    // MARK: Packets at the wrong time

    @Test func whatComesBeforeTheKeysIsCounted() throws {
        let world = PeerWorld(seed: 34)
        let id = try world.call(world.a) { try $0.addTrack(.video, now: $1) }
        let slice = try #require(FrameSource.first(id, at: world.now))
        world.call(world.a) { $0.send(slice, codec: .h264, on: id, now: $1) }
        #expect(world.a.connection.allDrops == ["peer-not-sending": 1])
        func hear(_ bytes: [UInt8]) {
            world.give(world.b, .datagram(bytes, from: world.a.host, onLocal: world.b.host))
        }
        let rtp: [UInt8] = [0x80, 96] + [UInt8](repeating: 1, count: 40)
        hear(rtp)
        #expect(world.b.connection.allDrops == ["peer-before-description": 1])
        try world.begin()
        try world.run(for: .milliseconds(30))
        hear(rtp)
        hear([0x80, 200] + [UInt8](repeating: 1, count: 40))
        #expect(world.b.connection.allDrops["peer-before-keys"] == 2)
        // Frames sent during the handshake are dropped, and the first frame after it is a keyframe.
        world.a.sources[id] = FrameSource(id, start: world.now)
        #expect(try world.run(for: .seconds(5)) { world.b.frames.count > 30 })
        #expect(world.a.connection.allDrops["media-not-sending"] ?? 0 > 0)
        let fault = MediaPair.fault(world.b.frames, of: try #require(world.a.sources[id]))
        #expect(fault == nil)
        // Unprotected packets, and packets with another key.
        hear(rtp)
        hear([0x80, 200] + [UInt8](repeating: 1, count: 40))
        let refused = world.b.connection.allDrops.filter { $0.key.hasPrefix("srtp-") }
        #expect(refused.values.reduce(0, +) == 2, "\(refused)")
    }

    /// One end completes its handshake first: its first packets arrive too early, which does no harm.
    @Test func mediaMayOvertakeTheHandshake() throws {
        var early = 0
        for seed in 1...12 as ClosedRange<UInt64> {
            let pair = PeerWorld(seed: seed, .init(loss: 0.25, delay: .milliseconds(20)))
            let id = try pair.call(pair.a) { try $0.addTrack(.video, now: $1) }
            pair.a.sources[id] = FrameSource(id)
            try pair.begin()
            #expect(try pair.run(for: .seconds(30)) { pair.b.frames.count > 20 }, "seed \(seed)")
            let fault = MediaPair.fault(pair.b.frames, of: try #require(pair.a.sources[id]))
            #expect(fault == nil, "seed \(seed)")
            early += pair.nodes.reduce(0) { $0 + ($1.connection.allDrops["peer-before-keys"] ?? 0) }
        }
        #expect(early > 0)
    }

    @Test func aCodecThatWasNotAgreedOn() throws {
        let pair = try MediaPair(seed: 35)
        let slice = try #require(FrameSource.first(pair.screen, at: pair.world.now))
        pair.world.call(pair.world.a) { $0.send(slice, codec: .h265, on: pair.screen, now: $1) }
        #expect(pair.world.a.connection.allDrops == ["media-refused-codec": 1])
        #expect(MediaPair.packets(of: pair.world.a).isEmpty)
    }

    /// An attacker on the signalling path changes payload types in the answer, so `a` sends types that `b` doesn't
    /// know.
    @Test(arguments: [true, false])
    func payloadTypesThatWereNotAgreedOn(isStreamKnown: Bool) throws {
        let world = PeerWorld(seed: 36)
        let id = try world.call(world.a) { try $0.addTrack(.video, stream: "s", now: $1) }
        world.gather()
        var offer = try world.call(world.a) { try $0.makeOffer(now: $1) }
        if !isStreamKnown {
            // The stream is identified neither by SSRC nor by MID.
            offer = Self.lines(of: offer) { !$0.hasPrefix("a=ssrc") && !$0.contains("sdes:mid") }
        }
        world.changesAnswer = { answer in
            let types = answer.firstRange(of: "m=video 9 UDP/TLS/RTP/SAVPF ").map { range in
                answer[range.upperBound...].prefix { $0 != "\r" }.split(separator: " ").map(String.init)
            }
            return (types ?? []).enumerated().reduce(answer) { text, next in
                let (index, type) = next
                return Self.renumbered(text, type, "\(35 + index)")
            }
        }
        world.signal(to: world.b, .offer(offer))
        try #require(try world.run(for: .seconds(5)) { world.isConnected })
        world.a.sources[id] = FrameSource(id, start: world.now)
        try world.run(for: .seconds(1))
        let name = isStreamKnown ? "media-unknown-payload-type" : "media-unknown-stream"
        #expect(world.b.connection.allDrops[name] ?? 0 > 50, "\(world.b.connection.allDrops)")
        #expect(world.b.frames.isEmpty)
    }

    private static func lines(of text: String, where isKept: (Substring) -> Bool) -> String {
        text.split(separator: "\r\n").filter(isKept).map { $0 + "\r\n" }.joined()
    }

    /// Replaces a payload type in all lines that may contain it.
    private static func renumbered(_ text: String, _ old: String, _ new: String) -> String {
        text.split(separator: "\r\n").map { line in
            var words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("m=video") {
                for index in words.indices.dropFirst(3) where words[index] == old { words[index] = new }
            }
            for name in ["a=rtpmap:", "a=fmtp:", "a=rtcp-fb:"] where words[0] == name + old { words[0] = name + new }
            for index in words.indices where words[index] == "apt=" + old { words[index] = "apt=" + new }
            return words.joined(separator: " ") + "\r\n"
        }.joined()
    }

    // MARK: One slice for several peers

    /// Three viewers with different payload types, extensions and keys.
    @Test func oneSliceForThreePeers() throws {
        let worlds = try (0..<3).map { number in
            let world = PeerWorld(seed: 40 + UInt64(number)) { a, b in
                if number == 1 {
                    b.headerExtensions = b.headerExtensions.reversed().filter { $0.uri != AbsoluteSendTime.uri }
                    b.codecs = b.codecs.reversed()
                } else if number == 2 {
                    b.headerExtensions = []
                    b.codecs = b.codecs.filter { $0.kind == .video }.suffix(1)
                    a.srtpProfiles = [.aes128CmHmacSha1_80]
                }
            }
            try world.call(world.a) { _ = try $0.addTrack(.video, stream: "s", now: $1) }
            try world.call(world.b) { _ = try $0.addReceiver(.video, now: $1) }
            world.gather()
            // The offerer chooses the payload types.
            try world.offer(from: number == 0 ? world.a : world.b)
            try #require(try world.run(for: .seconds(5)) { world.isConnected })
            return world
        }
        let sections = try worlds.map { try #require($0.a.agreement?.media.first) }
        let sizes = zip(worlds, sections).compactMap { $0.a.connection.media?.largestPayload(on: $1.transceiver) }
        #expect(Set(sections.map { $0.codecs[0].sendPayloadType }).count > 1)
        #expect(Set(sections.map { $0.extensions.map(\.id) }).count == 3 && Set(sizes).count == 3)
        var source = FrameSource(sections[0].transceiver, start: worlds[0].now)
        for _ in 0..<30 {
            for slice in source.take() {
                let cut = PacketizedSlice(slice, codec: .h264, largestPayload: try #require(sizes.min()))
                for (world, section) in zip(worlds, sections) {
                    world.call(world.a) { $0.send(cut, on: section.transceiver, now: $1) }
                }
            }
            for world in worlds { try world.run(for: .milliseconds(33)) }
        }
        for world in worlds {
            try world.run(for: .milliseconds(100))
            #expect(world.b.frames.count == 30 && MediaPair.fault(world.b.frames, of: source) == nil)
            #expect(world.a.connection.allDrops.isEmpty && world.b.connection.allDrops.isEmpty)
        }
        // The packets' payloads have only their length in common.
        let last = worlds.compactMap { MediaPair.packets(of: $0.a).last }
        #expect(Set(last.map { Array($0.bytes[$0.header.length...].prefix(32)) }).count == 3)
    }
}
