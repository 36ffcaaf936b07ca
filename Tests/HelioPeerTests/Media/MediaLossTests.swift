import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioSimulation
import Testing

/// A host and a viewer over a bad network: received frames are unchanged and in order.
@Suite struct MediaLossTests {
    private struct Run {
        var host: MediaEnd
        var viewer: MediaEnd
        var world: MediaWorld
        var source: FrameSource
        var shown: Double { Double(viewer.frames.count) / Double(source.count) }
        /// Counts over all received frames.
        var strange = 0
        var brokenReferences = 0
    }

    private func run(
        _ conditions: LinkConditions, _ world: MediaWorld? = nil, seed: UInt64 = 3,
        for duration: Duration = .seconds(8),
        partitions: [Range<Instant>] = []
    ) throws -> Run {
        let world = try world ?? MediaWorld()
        var host = world.host
        host.source = FrameSource(world.screen, start: .zero + .milliseconds(5))
        // As ICE would measure it.
        world.viewer.transport.measured(roundTrip: conditions.delay * 2 + conditions.jitter, now: .zero)
        var network = SimulatedNetwork(conditions, seed: seed)
        for window in partitions { network.partition(window) }
        var stepper = TwoPeerStepper(a: host, b: world.viewer, network: network)
        try stepper.run(for: duration)
        let source = try #require(stepper.a.source)
        var run = Run(host: stepper.a, viewer: stepper.b, world: world, source: source)
        var last = -1
        for frame in run.viewer.frames {
            guard let number = source.numbers[frame.annexB] else {
                run.strange += 1
                continue
            }
            if frame.isKeyframe ? number <= last : number != last + 1 { run.brokenReferences += 1 }
            last = number
        }
        return run
    }

    @Test(arguments: ["perfect", "lan", "wifi", "shuffled"])
    func goodNetworksLoseNothing(preset: String) throws {
        let conditions = try #require(LinkConditions.presets.first { $0.name == preset }).conditions
        let run = try run(conditions)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.viewer.frames.count >= run.source.count - 2)
        #expect(run.source.keyframes == 1)
        #expect(run.viewer.frames.map(\.frameIndex) == Array(0..<UInt64(run.viewer.frames.count)))
    }

    @Test(arguments: [0.01, 0.05, 0.1, 0.2], [1, 2] as [UInt64])
    func lossIsRepairedByRetransmission(share: Double, seed: UInt64) throws {
        let run = try run(.lossy(share), seed: seed)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > (share < 0.1 ? 0.99 : 0.9), "\(run.shown) of all frames")
        let inbound = try #require(run.viewer.transport.inbound(run.world.view))
        #expect(inbound.packetsRecovered > 0 && inbound.nackedPackets > 0)
        let outbound = try #require(run.host.transport.outbound(run.world.screen))
        #expect(outbound.retransmittedPackets > 0 && outbound.nackedPackets > 0)
        let lost = Double(inbound.packetsLost) / Double(inbound.packets)
        #expect(abs(lost - share) < share / 2 + 0.01, "\(lost)")
        // Retransmissions use a separate stream with its own sequence numbers.
        let again = run.host.rtp.filter { $0.header.ssrc == run.world.stream.retransmissionSSRC }
        // The others are copies that fill bandwidth probes.
        #expect(again.count >= outbound.retransmittedPackets)
    }

    @Test(arguments: [0.02, 0.1]) func lossIsRepairedByTheSamePackets(share: Double) throws {
        let world = try MediaWorld { media in
            for index in media.codecs.indices {
                media.codecs[index].sendRetransmissionType = nil
                media.codecs[index].receiveRetransmissionType = nil
            }
        }
        let run = try run(.lossy(share), world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > 0.95, "\(run.shown) of all frames")
        #expect(!run.host.again.isEmpty)
        #expect(Set(run.host.rtp.map(\.header.ssrc)) == [world.stream.ssrc])
    }

    private static let farAndLossy = LinkConditions(loss: .random(0.05), delay: .milliseconds(100))

    @Test(arguments: [1, 2] as [UInt64]) func lossIsRepairedByFlexFEC(seed: UInt64) throws {
        let run = try run(Self.farAndLossy, try MediaWorld(parity: (.flexFEC, .flexFEC)), seed: seed)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        // The last frames are still in transit.
        #expect(run.shown > 0.9, "\(run.shown) of all frames")
        let inbound = try #require(run.viewer.transport.inbound(run.world.view))
        let outbound = try #require(run.host.transport.outbound(run.world.screen))
        #expect(outbound.parityPackets > 100 && outbound.parityBytes > 0)
        #expect(inbound.parityPackets > outbound.parityPackets * 8 / 10)
        // Most lost packets are restored by parity, and are not requested.
        #expect(inbound.packetsRestored * 2 > inbound.packetsLost, "\(inbound.packetsRestored) restored")
        #expect(inbound.packetsRestored > inbound.packetsRecovered)
        let requested = run.viewer.rtcp.reduce(into: Set<UInt16>()) {
            if case .genericNACK(let nack) = $1 { $0.formUnion(nack.lost) }
        }
        #expect(requested.count < inbound.packetsLost)
        let parity = run.host.rtp.filter { $0.header.ssrc == run.world.stream.paritySSRC }
        #expect(parity.count == outbound.parityPackets)
        #expect(parity.allSatisfy { !$0.header.marker && $0.bytes.count <= run.host.transport.largestPacket })
        #expect(!run.viewer.transport.allDrops.keys.contains { $0.contains("parity") })
    }

    @Test("who does not know it gets none", arguments: [true, false]) func noFlexFEC(hostKnowsIt: Bool) throws {
        let parity: (host: ParityScheme, viewer: ParityScheme) = hostKnowsIt ? (.flexFEC, .none) : (.none, .flexFEC)
        let world = try MediaWorld(parity: parity)
        #expect(world.hostMedia.parity == nil && world.viewerMedia.parity == nil)
        let run = try run(Self.farAndLossy, world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.host.rtp.allSatisfy { $0.header.ssrc != SSRC(0xFEC) })
        #expect(try #require(run.host.transport.outbound(world.screen)).parityPackets == 0)
    }

    @Test("FlexFEC that is none is dropped, counted, and does no harm") func hostileFlexFEC() throws {
        var world = try MediaWorld(parity: (.flexFEC, .flexFEC))
        let type = try #require(world.viewerMedia.parity).receivePayloadType
        var host = world.host
        host.source = FrameSource(world.screen, start: .zero + .milliseconds(5))
        world.host = host
        var random = SeededGenerator(seed: 8)
        let count = 400
        for number in 0..<count {
            let now = Instant.zero + .milliseconds(number)
            world.host.tick(now: now)
            world.settle(at: now)
            var packet: [UInt8] = []
            RTPHeader(
                marker: false, payloadType: type, sequence: UInt16(number), timestamp: 0, ssrc: SSRC(0xFEC)
            ).write(into: &packet, hasExtension: false)
            for _ in 0..<Int.random(in: 0...60, using: &random) { packet.append(.random(in: 0...255, using: &random)) }
            world.viewer.receive(packet, now: now)
        }
        let frames = world.viewer.frames.count
        #expect(frames > 5)
        let drops = world.viewer.transport.allDrops
        #expect((drops["media-malformed-parity"] ?? 0) + (drops["media-stray-parity"] ?? 0) > count / 2)
        let inbound = try #require(world.viewer.transport.inbound(world.view))
        #expect(inbound.packetsRestored == 0 && inbound.nackedPackets == 0)
    }

    @Test func withoutAnyRetransmissionAKeyframeMends() throws {
        let world = try MediaWorld { media in
            for index in media.codecs.indices {
                media.codecs[index].sendRetransmissionType = nil
                media.codecs[index].receiveRetransmissionType = nil
                media.codecs[index].feedback.removeAll { $0 == .init("nack") }
            }
        }
        let run = try run(.lossy(0.02), world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.source.keyframes > 1)
        #expect(run.shown > 0.5, "\(run.shown) of all frames")
        #expect(run.viewer.rtcp.allSatisfy { if case .genericNACK = $0 { false } else { true } })
        #expect(try #require(run.host.transport.outbound(world.screen)).pictureLossIndications > 0)
    }

    @Test func aCutNetworkComesBackWithAKeyframe() throws {
        let cut = Instant.zero + .seconds(5)..<Instant.zero + .seconds(8)
        let run = try run(.lan, for: .seconds(12), partitions: [cut])
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.source.keyframes >= 2 && run.source.keyframes <= 4)
        #expect(run.viewer.frames.count >= run.source.count - 110)
        #expect(run.viewer.frames.contains { $0.completed > cut.upperBound && $0.isKeyframe })
    }

    @Test(arguments: LinkConditions.presets.map(\.name))
    func noNetworkEverBreaksAReference(preset: String) throws {
        let conditions = try #require(LinkConditions.presets.first { $0.name == preset }).conditions
        let run = try run(conditions, seed: 9, for: .seconds(6))
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > 0.8, "\(run.shown) of all frames")
        let reasons = run.viewer.transport.allDrops.keys
        #expect(!reasons.contains("media-malformed-rtp") && !reasons.contains("media-malformed-rtcp"))
    }

    @Test func withoutAnyExtensionItWorksAsWell() throws {
        let world = try MediaWorld(extensions: [])
        let run = try run(.lossy5, world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > 0.98, "\(run.shown) of all frames")
        #expect(run.host.rtp.allSatisfy { $0.header.length == RTPHeader.fixedSize })
    }

    @Test func withNumbersOfTheTwoByteFormItWorksAsWell() throws {
        let world = try MediaWorld { media in
            for index in media.extensions.indices { media.extensions[index].id += 100 }
        }
        let run = try run(.lossy5, world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > 0.98, "\(run.shown) of all frames")
        #expect(run.host.rtp.allSatisfy { $0.header.extensionProfile == RTPHeaderExtension.twoByteProfile })
    }

    @Test("frames that are described are repaired as well, by retransmission and by FlexFEC", arguments: [false, true])
    func withDependencies(hasParity: Bool) throws {
        let parity: ParityScheme = hasParity ? .flexFEC : .none
        let world = try MediaWorld(parity: (parity, parity)) { media in
            var agreed = media.extensions[0]
            agreed.id = 12
            agreed.uri = DependencyDescriptor.uri
            media.extensions.append(agreed)
        }
        let run = try run(hasParity ? Self.farAndLossy : .lossy5, world)
        #expect(run.strange == 0 && run.brokenReferences == 0)
        #expect(run.shown > (hasParity ? 0.9 : 0.98), "\(run.shown) of all frames")
        let inbound = try #require(run.viewer.transport.inbound(run.world.view))
        #expect(hasParity ? inbound.packetsRestored > 0 : inbound.packetsRecovered > 0)
        #expect(run.host.transport.describesFrames(on: world.screen))
    }

    @Test func aNarrowPathLowersTheEstimate() throws {
        var world = try MediaWorld()
        world.host = MediaEnd("host", [world.hostMedia], [world.screen: world.stream], most: .megabits(8))
        let narrow = LinkConditions(delay: .milliseconds(10), rate: .megabits(1), queueBytes: 200 * 1024)
        var host = world.host
        host.source = FrameSource(world.screen, start: .zero + .milliseconds(5))
        host.source?.size = 8000
        var stepper = TwoPeerStepper(a: host, b: world.viewer, network: SimulatedNetwork(narrow, seed: 3))
        try stepper.run(for: .seconds(8))
        let estimate = try #require(stepper.a.estimates.min())
        #expect(estimate < .megabits(2), "\(estimate)")
        #expect(stepper.a.transport.estimatedBitrate < .megabits(8))
    }
}
