import HelioCore
import HelioMedia
import HelioSimulation
import Testing

/// Sends frames at a steady rate, keyframes on request, and retransmissions.
private struct Source: SimulatedPeer {
    var stream: TestStream
    let interval: Duration
    var nextFrame: Instant
    var wantsKeyframe = true
    /// Sent packets by 16-bit sequence number: the sink counts wraps from its own start.
    var sent: [UInt16: [UInt8]] = [:]
    var outgoing: [[UInt8]] = []
    var keyframes = 0
    var frameBytes = 800

    init(interval: Duration, firstSequence: UInt64) {
        self.interval = interval
        stream = TestStream(
            firstSequence: firstSequence, ticksPerFrame: UInt32(interval.nanoseconds * 9 / 100_000))
        nextFrame = .zero
    }

    mutating func tick(now: Instant) {
        guard nextFrame <= now else { return }
        nextFrame = nextFrame + interval
        if wantsKeyframe { keyframes += 1 }
        for packet in stream.next(isKeyframe: wantsKeyframe, bytes: frameBytes * (wantsKeyframe ? 10 : 1), now: now) {
            sent[packet.sequence.wire] = packet.bytes
            sent[packet.sequence.wire &- 2000] = nil
            outgoing.append(packet.bytes)
        }
        wantsKeyframe = false
    }

    mutating func receive(_ datagram: [UInt8], now: Instant) {
        if datagram.count == 1 {
            wantsKeyframe = true
            return
        }
        for offset in stride(from: 0, to: datagram.count, by: 2) {
            guard let sequence = datagram.span.bytes.uint16(at: offset), let packet = sent[sequence] else { continue }
            outgoing.append(packet)
        }
    }

    mutating func pollDatagram(now: Instant) -> [UInt8]? { outgoing.isEmpty ? nil : outgoing.removeFirst() }
    var deadline: Deadline? { Deadline(at: nextFrame, why: "frame") }
}

/// A jitter buffer whose outputs are checked.
private struct Sink: SimulatedPeer {
    var buffer = JitterBuffer(configuration: .init(codec: .h264))
    var extender = SequenceExtender()
    var outgoing: [[UInt8]] = []
    var frames = 0
    var lastNumber: Int64?
    var brokenReferences = 0
    /// The number of frames returned later than their completion.
    var delayed = 0
    var longestWait: Duration = .zero
    let ticksPerFrame: Int64

    init(interval: Duration, roundTrip: Duration) {
        ticksPerFrame = interval.nanoseconds * 9 / 100_000
        buffer.handle(.roundTrip(roundTrip), now: .zero)
    }

    mutating func receive(_ datagram: [UInt8], now: Instant) {
        guard let packet = TestStream.open(datagram, extender: &extender, arrival: now) else { return }
        buffer.handle(.packet(packet), now: now)
        drain(now)
    }

    mutating func tick(now: Instant) {
        buffer.tick(now: now)
        drain(now)
    }

    private mutating func drain(_ now: Instant) {
        while let output = buffer.poll() {
            switch output {
            case .frame(let frame):
                frames += 1
                let number = frame.mediaTime / ticksPerFrame
                if !frame.isKeyframe, number != (lastNumber ?? -2) + 1 { brokenReferences += 1 }
                lastNumber = number
                if frame.completed != now { delayed += 1 }
                longestWait = max(longestWait, now - frame.completed)
            case .nack(let list):
                var bytes: [UInt8] = []
                for sequence in list { bytes.append(bigEndian: sequence.wire) }
                outgoing.append(bytes)
            case .needKeyframe:
                outgoing.append([0])
            case .needRepair, .part: break
            }
        }
    }

    mutating func pollDatagram(now: Instant) -> [UInt8]? { outgoing.isEmpty ? nil : outgoing.removeFirst() }
    var deadline: Deadline? { buffer.deadline }
}

@Suite struct LossyNetworkTests {
    private func run(
        _ conditions: LinkConditions, seed: UInt64 = 1, for duration: Duration = .seconds(60),
        interval: Duration = .milliseconds(20), firstSequence: UInt64 = 0x1_FF00,
        partitions: [Range<Instant>] = []
    ) throws -> (source: Source, sink: Sink) {
        var network = SimulatedNetwork(conditions, seed: seed)
        for window in partitions { network.partition(window) }
        var stepper = TwoPeerStepper(
            a: Source(interval: interval, firstSequence: firstSequence),
            b: Sink(interval: interval, roundTrip: conditions.delay * 2 + conditions.jitter), network: network)
        try stepper.run(for: duration)
        return (stepper.a, stepper.b)
    }

    @Test(arguments: ["perfect", "lan"])
    func aCleanNetworkIsGivenNoDelayAtAll(preset: String) throws {
        let conditions = try #require(LinkConditions.presets.first { $0.name == preset }).conditions
        let (source, sink) = try run(conditions)
        #expect(sink.frames >= Int(source.stream.frames) - 1)
        #expect(sink.delayed == 0)
        #expect(source.keyframes == 1)
        #expect(sink.buffer.statistics.lost == 0)
        #expect(sink.buffer.drops.total == 0)
    }

    @Test(arguments: [0.01, 0.05, 0.2], 1...3 as ClosedRange<UInt64>)
    func framesComeBackFromLoss(share: Double, seed: UInt64) throws {
        let (source, sink) = try run(.lossy(share), seed: seed)
        let shown = Double(sink.frames) / Double(source.stream.frames)
        #expect(sink.brokenReferences == 0)
        #expect(shown > (share < 0.1 ? 0.999 : 0.97), "\(shown) of all frames")
        #expect(sink.longestWait <= .milliseconds(200))
        let lost = Double(sink.buffer.statistics.lost) / Double(sink.buffer.statistics.expected)
        #expect(abs(lost - share) < 0.02)
        #expect(sink.buffer.statistics.recovered > 0)
    }

    @Test(arguments: LinkConditions.presets.map(\.name))
    func noPresetEverBreaksAReference(preset: String) throws {
        let conditions = try #require(LinkConditions.presets.first { $0.name == preset }).conditions
        let (source, sink) = try run(conditions, seed: 11)
        #expect(sink.brokenReferences == 0)
        let shown = Double(sink.frames) / Double(source.stream.frames)
        #expect(shown > 0.9, "\(shown) of all frames")
        #expect(sink.longestWait <= .milliseconds(200))
    }

    @Test(arguments: [0x1_0000, 0x1_FFF0, 0x2_7FF8, 0x2_8000, 0x3_FFFF] as [UInt64])
    func lossAcrossTheWrapIsRepairedLikeAnywhere(first: UInt64) throws {
        let (source, sink) = try run(.lossy5, for: .seconds(3), firstSequence: first)
        #expect(sink.brokenReferences == 0)
        #expect(sink.frames >= Int(source.stream.frames) - 3)
        #expect(source.keyframes == 1)
    }

    @Test func aCutNetworkComesBackWithAKeyframe() throws {
        let cut = Instant.zero + .seconds(5)..<Instant.zero + .seconds(8)
        let (source, sink) = try run(.lan, for: .seconds(20), partitions: [cut])
        #expect(sink.brokenReferences == 0)
        #expect(source.keyframes == 2)
        #expect(sink.frames >= 20 * 50 - 3 * 50 - 15)
    }

    @Test func hoursOfLossHoldNothingBack() throws {
        let (source, sink) = try run(
            .lossy1, for: .seconds(4 * 3600), interval: .milliseconds(400), firstSequence: 0x1_8000)
        #expect(sink.brokenReferences == 0)
        #expect(sink.frames >= Int(source.stream.frames) - 40)
        #expect(sink.buffer.statistics.expected > 0x2_0000)
    }
}
