import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A single sent stream: its packets, their times and numbers.
@Suite("Stream sender")
struct StreamSenderTests {
    private static let ssrc = SSRC(0x1234_5678)
    private static let type = PayloadType(96)

    /// A path without encryption, and the packets sent over it.
    private struct Path {
        let sender: StreamSender
        let repair: PacketRepair
        var transport = BandwidthEstimator(most: .megabits(100), isTransportWide: false)
        var frames: UInt64 = 0
        var left: [(bytes: [UInt8], sequence: ExtendedSequence, at: Instant)] = []
        var again: [ExtendedSequence] = []

        init(repair: PacketRepair = .samePacket, timingID: UInt8? = nil, rate: Bitrate = .megabits(20)) {
            self.repair = repair
            var configuration = StreamSender.Configuration(
                ssrc: StreamSenderTests.ssrc, firstSequence: 65_530, largestPacket: 1200, rate: rate)
            configuration.isHostClock = true
            configuration.reserve = 16
            configuration.retransmissionSSRC = SSRC(99)
            sender = StreamSender(configuration)
            sender.agree(OutgoingExtensions(timingID: timingID))
        }

        var format: SendFormat { SendFormat(payloadType: StreamSenderTests.type, repair: repair) }

        mutating func send(bytes: Int, isKeyframe: Bool = false, now: Instant) {
            let slice = EncodedSlice(
                frameIndex: frames,
                annexB: TestStream.annexB(frames, codec: .h264, isKeyframe: isKeyframe, bytes: bytes), isFirst: true,
                isLast: true, isKeyframe: isKeyframe, timing: FrameTiming(damaged: now, captured: now))
            frames += 1
            sender.send(
                PacketizedSlice(slice, codec: .h264, limits: sender.largestPayload), as: format, now: now)
            pump(now)
        }

        mutating func pump(_ now: Instant) {
            sender.tick(now: now)
            sender.pump(transport: &transport, now: now) { (departure: consuming StreamSender.Departure) in
                switch consume departure {
                case .packet(let bytes, _, let sequence, _): left.append((bytes, sequence, now))
                case .again(let sequence): again.append(sequence)
                }
            }
        }

        /// Runs until the pacer's queue is empty.
        mutating func drain(from now: Instant) {
            while let due = sender.deadline, due.why.description == "pacing" { pump(max(due.at, now)) }
        }

        /// Passes a report of the peer with this highest received sequence number.
        func hear(highest: UInt16, now: Instant) {
            sender.handle(
                ReportBlock(
                    ssrc: StreamSenderTests.ssrc, fractionLost: 0, cumulativeLost: 0, highestSequence: UInt32(highest),
                    jitter: 0, lastSenderReport: 0, delaySinceLastSenderReport: 0), now: now)
        }

        /// Runs everything due until then.
        mutating func run(until end: Instant) {
            while let due = sender.deadline, due.at <= end { pump(due.at) }
        }
    }

    private static func header(of packet: [UInt8]) -> RTPHeader? { RTPHeader.parse(packet.span.bytes) }

    private static func payload(of packet: [UInt8]) -> [UInt8]? {
        header(of: packet)?.payload(in: packet.span.bytes).map { Array(packet[$0]) }
    }

    private static func timing(of packet: [UInt8], id: UInt8) -> FrameTimingExtension? {
        guard let header = header(of: packet),
            let element = RTPHeaderExtension.find(id: id, of: header, in: packet.span.bytes)
        else { return nil }
        return FrameTimingExtension.parse(Array(packet[element]).span.bytes)
    }

    @Test("what the pacer drops leaves no gap in the numbers, and is counted as frames")
    func noGap() throws {
        var path = Path()
        path.sender.play(nil)
        var now = Instant(nanoseconds: 1_000_000_000)
        path.send(bytes: 20_000, isKeyframe: true, now: now)
        // A hundred megabits a second over a path of four.
        for _ in 0..<40 {
            now = now + .milliseconds(4)
            path.send(bytes: 50_000, now: now)
        }
        path.drain(from: now)
        let dropped = path.sender.allStatistics.droppedFrames
        #expect(dropped > 0 && dropped < 40)
        let numbers = path.left.map(\.sequence.rawValue)
        #expect(numbers == Array(numbers[0]..<numbers[0] + UInt64(numbers.count)))
        #expect(path.left.map { Self.header(of: $0.bytes)?.sequence } == path.left.map(\.sequence.wire))
        #expect(path.sender.statistics.packets == path.left.count)
        #expect(path.sender.keyframes.isEmpty == false)
    }

    @Test("a packet tells when it left, not when it was cut")
    func stampedAtDeparture() throws {
        var path = Path(timingID: 3)
        path.sender.play(nil)
        let now = Instant(nanoseconds: 1_000_000_000)
        path.send(bytes: 400_000, isKeyframe: true, now: now)
        path.drain(from: now)
        let last = try #require(path.left.last)
        // 400 kB at twenty megabits a second, the pacer's minimum rate.
        #expect(last.at - now > .milliseconds(50))
        let timing = try #require(Self.timing(of: last.bytes, id: 3))
        #expect(abs((timing.sent - last.at).nanoseconds) <= 8000)
    }

    @Test("whoever protects a packet is its only owner: what is appended moves nothing", arguments: [false, true])
    func handsEachPacketOver(hasTiming: Bool) {
        var path = Path(timingID: hasTiming ? 3 : nil)
        path.sender.play(nil)
        let now = Instant(nanoseconds: 1_000_000_000)
        let slice = EncodedSlice(
            frameIndex: 0, annexB: TestStream.annexB(0, codec: .h264, isKeyframe: true, bytes: 8000), isFirst: true,
            isLast: true, isKeyframe: true, timing: FrameTiming(damaged: now, captured: now))
        path.sender.send(
            PacketizedSlice(slice, codec: .h264, limits: path.sender.largestPayload), as: path.format, now: now)
        var stayed: [Bool] = []
        path.sender.pump(transport: &path.transport, now: now) { (departure: consuming StreamSender.Departure) in
            guard case .packet(var packet, _, _, _) = consume departure else { return }
            let before = packet.withUnsafeBytes { $0.baseAddress }
            packet.append(contentsOf: repeatElement(0xEE, count: 16))
            stayed.append(packet.withUnsafeBytes { $0.baseAddress } == before)
        }
        #expect(stayed.count > 6 && stayed.allSatisfy { $0 })
    }

    @Test("a lost packet goes again as it was, or in a stream of its own, or not at all")
    func repair() throws {
        let now = Instant(nanoseconds: 1_000_000_000)
        for repair in [PacketRepair.samePacket, .retransmissionStream(PayloadType(97)), .none] {
            var path = Path(repair: repair)
            path.sender.play(nil)
            path.send(bytes: 8000, isKeyframe: true, now: now)
            let sent = path.left
            let lost = sent[2]
            path.sender.handle(
                GenericNACK(sender: SSRC(1), media: Self.ssrc, lost: [lost.sequence.wire]), now: now + .milliseconds(20)
            )
            path.pump(now + .milliseconds(20))
            switch repair {
            case .samePacket:
                #expect(path.again == [lost.sequence] && path.left.count == sent.count)
            case .retransmissionStream(let type):
                let packet = try #require(path.left.dropFirst(sent.count).first?.bytes)
                let header = try #require(Self.header(of: packet))
                #expect(header.ssrc == SSRC(99) && header.payloadType == type && path.again.isEmpty)
                let wire = lost.sequence.wire
                let number = [UInt8(wire >> 8), UInt8(wire & 0xFF)]
                #expect(try #require(Self.payload(of: packet)) == number + #require(Self.payload(of: lost.bytes)))
            case .none:
                #expect(path.again.isEmpty && path.left.count == sent.count)
                #expect(path.sender.drops[.refusedNACK] == 1)
            }
        }
    }

    @Test("what a peer asks for again and again in vain costs a keyframe, where none came since")
    func vainRequests() throws {
        let now = Instant(nanoseconds: 1_000_000_000)
        for hasNewKeyframe in [false, true] {
            var path = Path(repair: .retransmissionStream(PayloadType(97)))
            path.sender.play(nil)
            path.send(bytes: 8000, isKeyframe: true, now: now)
            let lost = GenericNACK(sender: SSRC(1), media: Self.ssrc, lost: [path.left[2].sequence.wire])
            if hasNewKeyframe { path.send(bytes: 8000, isKeyframe: true, now: now + .milliseconds(40)) }
            for request in 1...12 {
                path.sender.handle(lost, now: now + .milliseconds(50 + 30 * request))
                // The ninth of ten requests causes it; later ones have no further effect.
                #expect(path.sender.keyframes.isEmpty == (hasNewKeyframe || request != 9), "request \(request)")
                _ = path.sender.keyframes.poll(now: now + .milliseconds(50 + 30 * request))
            }
        }
    }

    @Test("after a pause nothing goes before a keyframe, which is asked for once")
    func pause() {
        var path = Path()
        let now = Instant(nanoseconds: 1_000_000_000)
        path.send(bytes: 1000, isKeyframe: true, now: now)
        #expect(path.left.isEmpty && path.sender.drops[.notSending] == 1)
        path.sender.play(KeyframeWish("a viewer goes on"))
        path.send(bytes: 1000, now: now)
        #expect(path.left.isEmpty && path.sender.drops[.awaitingKeyframe] == 1)
        #expect(path.sender.keyframes.poll(now: now)?.reason == "a viewer goes on")
        #expect(path.sender.keyframes.poll(now: now) == nil)
        path.send(bytes: 1000, isKeyframe: true, now: now)
        path.send(bytes: 1000, now: now)
        #expect(!path.left.isEmpty && path.sender.statistics.frames == 2)
    }

    @Test("after the last frame empty packets show what was lost, ever more seldom, until the newest is reported")
    func tailProbes() throws {
        var path = Path(timingID: 3)
        path.sender.play(nil)
        let now = Instant(nanoseconds: 1_000_000_000)
        path.send(bytes: 3000, isKeyframe: true, now: now)
        let frame = path.left.count
        path.run(until: now + .milliseconds(600))
        let probes = path.left.dropFirst(frame)
        #expect(probes.map { $0.at - now } == [40, 120, 280, 600].map { .milliseconds($0) })
        let frameTimestamp = try #require(Self.header(of: path.left[0].bytes)).timestamp
        for probe in probes {
            #expect(Self.payload(of: probe.bytes) == [] && Self.header(of: probe.bytes)?.timestamp == frameTimestamp)
        }
        #expect(path.left.map(\.sequence.rawValue) == Array(65_530 & 0x7FFF..<UInt64(65_530 & 0x7FFF + frame + 4)))

        // A report that doesn't cover all packets changes nothing.
        let newest = try #require(path.left.last?.sequence.wire)
        path.hear(highest: newest &- 1, now: now + .milliseconds(700))
        #expect(path.sender.deadline?.why.description == "tail probe")
        path.hear(highest: newest, now: now + .milliseconds(700))
        #expect(path.sender.deadline == nil)

        // A peer that sends no reports gets at most ten probes.
        path.send(bytes: 3000, now: now + .seconds(1))
        let before = path.left.count
        path.run(until: now + .seconds(3600))
        #expect(path.left.count == before + 10 && path.sender.deadline == nil)
    }

    @Test("a stream is not padded until its first frame is surely there: the newest packet goes again instead")
    func tailOfTheFirstFrame() throws {
        var path = Path(repair: .retransmissionStream(PayloadType(97)))
        path.sender.play(nil)
        let now = Instant(nanoseconds: 1_000_000_000)
        path.send(bytes: 3000, isKeyframe: true, now: now)
        let frame = path.left.count
        let newest = try #require(path.left.last?.sequence.wire)
        path.run(until: now + .milliseconds(600))
        let copies = path.left.dropFirst(frame)
        #expect(copies.map { $0.at - now } == [40, 120, 280, 600].map { .milliseconds($0) })
        for copy in copies {
            #expect(Self.header(of: copy.bytes)?.ssrc == SSRC(99))
            #expect(Self.payload(of: copy.bytes)?.prefix(2) == [UInt8(newest >> 8), UInt8(newest & 0xFF)])
        }
        // The packet has arrived, or a retransmission was requested.
        path.send(bytes: 3000, now: now + .seconds(3))
        let before = path.left.count
        path.run(until: now + .milliseconds(3040))
        let probe = try #require(path.left.dropFirst(before).first)
        #expect(Self.header(of: probe.bytes)?.ssrc == Self.ssrc && Self.payload(of: probe.bytes) == [])
    }

    @Test("a moving picture, a pause, and a peer that can ask for nothing again get no probe")
    func noProbe() {
        var path = Path()
        path.sender.play(nil)
        var now = Instant(nanoseconds: 1_000_000_000)
        for frame in 0..<100 {
            path.send(bytes: 500, isKeyframe: frame == 0, now: now)
            now = now + .milliseconds(33)
            path.run(until: now)
        }
        #expect(path.left.count == Int(path.sender.statistics.frames))
        path.sender.pause()
        #expect(path.sender.deadline == nil)

        var plain = Path(repair: .none)
        plain.sender.play(nil)
        plain.send(bytes: 500, isKeyframe: true, now: now)
        #expect(plain.sender.deadline == nil)
    }
}
