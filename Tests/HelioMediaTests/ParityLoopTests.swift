import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A sender with parity and a receiver on virtual time, over a path with loss.
@Suite("Parity from sender to receiver")
struct ParityLoopTests {
    private static let media = SSRC(10)
    private static let again = SSRC(11)
    private static let parity = SSRC(12)
    private static let transportID: UInt8 = 2
    private static let timingID: UInt8 = 1
    private static let dependencyID: UInt8 = 7

    private struct Path {
        let sender: StreamSender
        let receiver: StreamReceiver
        var transport = BandwidthEstimator(most: .megabits(100), isTransportWide: true)
        var now = Instant.zero + .seconds(1)
        var frames: UInt64 = 0
        var lost = 0
        /// The number of received frames, and of those with known times.
        var shown = 0
        var timed = 0
        var requested: [UInt16] = []
        var parityNumbers: [UInt64] = []
        /// The descriptors of sent media packets, and the number of restored packets with equal ones.
        private var described: [UInt64: DependencyDescriptor] = [:]
        var restoredAsDescribed = 0
        /// Returns whether a packet is lost, by its SSRC and its overall number.
        var loses: (SSRC, Int) -> Bool = { _, _ in false }
        private var count = 0

        init(parities: UInt8, isFlexFEC: Bool = false) {
            var configuration = StreamSender.Configuration(
                ssrc: ParityLoopTests.media, firstSequence: 0x7FF0, largestPacket: 1200, rate: .megabits(20))
            configuration.retransmissionSSRC = ParityLoopTests.again
            configuration.parity = StreamSender.Parity(
                ssrc: ParityLoopTests.parity, payloadType: PayloadType(100), firstSequence: 5)
            if isFlexFEC { configuration.parity?.code = FlexFECCode(protecting: ParityLoopTests.media) }
            sender = StreamSender(configuration)
            sender.agree(
                OutgoingExtensions(
                    [TransportSequence(0).element(id: ParityLoopTests.transportID)],
                    transportSequenceID: ParityLoopTests.transportID, timingID: ParityLoopTests.timingID,
                    dependencyID: isFlexFEC ? ParityLoopTests.dependencyID : nil))
            sender.parityPlan = ParityPlan([0] + [UInt8](repeating: parities, count: 48))
            var settings = StreamReceiver.Configuration(.agreed(ParityLoopTests.media))
            settings.stampedElements = [ParityLoopTests.transportID]
            var format = ReceiveFormat(payloadType: PayloadType(96), video: .h264)
            format.retransmissionType = PayloadType(98)
            format.takesNACK = true
            format.takesPictureLoss = true
            receiver = StreamReceiver(settings, first: format)
            let flexFEC = StreamReceiver.FlexFEC(
                payloadType: PayloadType(100), sources: [ParityLoopTests.media: ParityLoopTests.parity],
                stamped: [ParityLoopTests.transportID])
            receiver.agree(
                [format], retransmissions: [ParityLoopTests.media: ParityLoopTests.again],
                parity: isFlexFEC ? nil : (ssrc: ParityLoopTests.parity, type: PayloadType(100)),
                flexFEC: isFlexFEC ? flexFEC : nil)
            receiver.setRoundTrip(.milliseconds(200), now: now)
            sender.play(nil)
        }

        mutating func frame(bytes: Int) {
            let slice = EncodedSlice(
                frameIndex: frames,
                annexB: TestStream.annexB(frames, codec: .h264, isKeyframe: frames == 0, bytes: bytes), isFirst: true,
                isLast: true, isKeyframe: frames == 0, timing: FrameTiming(damaged: now, captured: now))
            frames += 1
            let format = SendFormat(
                payloadType: PayloadType(96), repair: .retransmissionStream(PayloadType(98)))
            sender.send(PacketizedSlice(slice, codec: .h264, limits: sender.largestPayload), as: format, now: now)
            run(for: .microseconds(16_667))
        }

        mutating func run(for time: Duration) {
            let end = now + time
            pump()
            while let due = Deadline.earliest(sender.deadline, receiver.deadline), due.at <= end {
                now = max(now, due.at)
                pump()
            }
            now = end
        }

        private mutating func pump() {
            sender.tick(now: now)
            var left: [(bytes: [UInt8], sequence: ExtendedSequence)] = []
            sender.pump(transport: &transport, now: now) { (departure: consuming StreamSender.Departure) in
                if case .packet(let bytes, _, let sequence, _) = consume departure { left.append((bytes, sequence)) }
            }
            for packet in left {
                guard let header = RTPHeader.parse(packet.bytes.span.bytes) else { continue }
                if header.ssrc == ParityLoopTests.media {
                    described[packet.sequence.rawValue] = dependency(of: packet.bytes)
                }
                if header.ssrc == ParityLoopTests.parity { parityNumbers.append(packet.sequence.rawValue) }
                count += 1
                if loses(header.ssrc, count) {
                    if header.ssrc == ParityLoopTests.media { lost += 1 }
                    continue
                }
                receive(packet.bytes, packet.sequence, isRestored: false)
                drain()
            }
            receiver.tick(now: now)
            drain()
        }

        private func dependency(of packet: [UInt8]) -> DependencyDescriptor? {
            RTPHeader.parse(packet.span.bytes).flatMap {
                DependencyDescriptor(id: ParityLoopTests.dependencyID, of: $0, in: packet.span.bytes)
            }
        }

        private mutating func receive(_ bytes: [UInt8], _ sequence: ExtendedSequence, isRestored: Bool) {
            let packet = bytes.span.bytes
            guard let header = RTPHeader.parse(packet) else { return }
            if isRestored, let known = described[sequence.rawValue], dependency(of: bytes) == known {
                restoredAsDescribed += 1
            }
            let timing = RTPHeaderExtension.find(id: ParityLoopTests.timingID, of: header, in: packet)
                .flatMap { FrameTimingExtension.parse(packet.extracting($0)) }
            receiver.handle(bytes, header, sequence: sequence, timing: timing, isRestored: isRestored, now: now)
        }

        private mutating func drain() {
            while let output = receiver.poll() {
                switch output {
                case .frame(let frame):
                    shown += 1
                    if frame.sourceTiming != nil { timed += 1 }
                case .restored(let bytes, let sequence): receive(bytes, sequence, isRestored: true)
                case .nack(let source, let list):
                    requested += list
                    sender.handle(GenericNACK(sender: SSRC(99), media: source, lost: list), now: now)
                default: break
                }
            }
        }
    }

    @Test("with a tenth of all packets lost, all frames come whole and none is asked for")
    func noRequest() {
        var path = Path(parities: 8)
        var random = SeededGenerator(seed: 4)
        // Before any parity has arrived, the receiver doesn't wait for it.
        path.loses = { _, count in count > 40 && Double.random(in: 0..<1, using: &random) < 0.1 }
        for number in 0..<300 { path.frame(bytes: number == 0 ? 20_000 : 6000) }
        path.loses = { _, _ in false }
        for _ in 0..<3 { path.frame(bytes: 6000) }
        #expect(path.lost > 100)
        #expect(path.requested.isEmpty)
        #expect(path.shown == 303)
        #expect(path.timed == 303)
        let statistics = path.receiver.statistics
        #expect(statistics.packetsRestored == path.lost)
        #expect(statistics.packetsLost == path.lost)
        #expect(statistics.packetsRecovered == 0)
        let sent = path.sender.allStatistics
        #expect(sent.parityPackets == path.parityNumbers.count)
        #expect(sent.parityBytes > 0)
        #expect(path.parityNumbers == Array(5..<5 + UInt64(path.parityNumbers.count)))
    }

    @Test("by FlexFEC as many lost packets in a row are restored as there is parity, and none is asked for")
    func flexFEC() {
        var path = Path(parities: 3, isFlexFEC: true)
        for _ in 0..<10 { path.frame(bytes: 6000) }
        path.loses = { ssrc, count in ssrc == Self.media && count % 9 < 3 }
        for _ in 0..<60 { path.frame(bytes: 6000) }
        path.loses = { _, _ in false }
        for _ in 0..<2 { path.frame(bytes: 6000) }
        #expect(path.lost > 50)
        #expect(path.requested.isEmpty)
        #expect(path.shown == 72)
        #expect(path.receiver.statistics.packetsRestored == path.lost)
        #expect(path.restoredAsDescribed == path.lost)
        #expect(path.receiver.statistics.parityPackets == path.sender.allStatistics.parityPackets)
    }

    @Test("parity that comes back goes on with its numbers, as none may be used twice")
    func comesBack() {
        var path = Path(parities: 2)
        for _ in 0..<3 { path.frame(bytes: 6000) }
        let before = path.parityNumbers.count
        path.sender.agree(parity: nil)
        path.frame(bytes: 6000)
        #expect(path.parityNumbers.count == before)
        path.sender.agree(
            parity: StreamSender.Parity(ssrc: Self.parity, payloadType: PayloadType(100), firstSequence: 5))
        path.frame(bytes: 6000)
        #expect(path.parityNumbers.count > before)
        #expect(path.parityNumbers == Array(5..<5 + UInt64(path.parityNumbers.count)))
    }

    @Test("more loss than parity restores is asked for, and of what comes again no more is needed than is lacking")
    func tooMuch() {
        var path = Path(parities: 2)
        for _ in 0..<10 { path.frame(bytes: 6000) }
        // Loses three packets of the next frame, and all but one of the first retransmissions.
        let before = path.sender.statistics.packets
        var media = 0
        var repairs = 0
        path.loses = { ssrc, _ in
            if ssrc == Self.media { media += 1 }
            if ssrc == Self.again { repairs += 1 }
            return ssrc == Self.media && (2...4).contains(media) || ssrc == Self.again && repairs > 1
        }
        path.frame(bytes: 6000)
        path.loses = { ssrc, _ in
            ssrc == Self.again
                && {
                    repairs += 1
                    return repairs > 1
                }()
        }
        path.run(for: .milliseconds(20))
        #expect(path.sender.statistics.packets > before + 4)
        #expect(Set(path.requested).count == 3)
        #expect(path.shown == 11)
        #expect(path.receiver.statistics.packetsRestored == 2)
        #expect(path.receiver.statistics.packetsRecovered + path.receiver.statistics.packetsReordered == 1)
    }

    @Test("a frame of hundreds of packets has several blocks")
    func largeFrame() {
        var path = Path(parities: 4)
        path.sender.setRate(.megabits(200))
        path.frame(bytes: 6000)
        path.loses = { ssrc, count in ssrc == Self.media && count % 16 == 0 }
        path.frame(bytes: 200_000)
        path.loses = { _, _ in false }
        for _ in 0..<10 { path.frame(bytes: 3000) }
        #expect(path.lost >= 10)
        #expect(path.shown == 12)
        #expect(path.receiver.statistics.packetsRestored == path.lost)
        var size = 0
        for packets in [1, 48, 49, 96, 97, 200] {
            let (number, largest) = ParityEncoder.blocks(of: packets)
            #expect(number * largest >= packets && largest <= ParityEncoder.mostInBlock)
            size += number
        }
        #expect(size == 1 + 1 + 2 + 2 + 3 + 5)
    }

    @Test("of a frame of which the pacer drops a part, no parity is sent")
    func droppedFrame() {
        var path = Path(parities: 3)
        path.frame(bytes: 6000)
        let before = path.parityNumbers.count
        path.sender.setRate(.kilobits(300))
        // The frame waits far too long, so the next one drops the rest of it.
        path.frame(bytes: 100_000)
        path.frame(bytes: 6000)
        path.run(for: .seconds(1))
        #expect(path.sender.allStatistics.droppedFrames > 0)
        #expect(path.parityNumbers.count == before)
    }

    @Test("without a plan no parity is sent, and losses are asked for at once")
    func noPlan() {
        var path = Path(parities: 0)
        path.loses = { ssrc, count in ssrc == Self.media && count == 30 }
        for _ in 0..<10 { path.frame(bytes: 6000) }
        #expect(path.parityNumbers.isEmpty)
        #expect(path.lost == 1)
        #expect(path.requested.count == 1)
        #expect(path.shown == 10)
    }

    @Test("parity of another stream, or before any packet, is dropped")
    func strayParity() {
        let path = Path(parities: 1)
        var bytes: [UInt8] = []
        RTPHeader(marker: false, payloadType: PayloadType(100), sequence: 1, timestamp: 0, ssrc: SSRC(77))
            .write(into: &bytes, hasExtension: false)
        bytes += [0, 1, 1, 1, 0] + [UInt8](repeating: 0, count: 20)
        guard let header = RTPHeader.parse(bytes.span.bytes) else { return }
        #expect(!path.receiver.handle(bytes, header, sequence: ExtendedSequence(1), now: path.now))
        #expect(path.receiver.allDrops["media-stray-parity"] == 1)
    }
}
