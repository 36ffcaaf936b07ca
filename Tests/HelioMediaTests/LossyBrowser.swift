import HelioBitstream
import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A stream to a browser over a path with loss. The browser does as libwebrtc does with dependency descriptors: a frame
/// is decoded once it is whole and the frame that it refers to was decoded; packets are requested ten times, 100 ms
/// apart; after three seconds without a picture a keyframe is requested.
struct LossyBrowser {
    private static let media = SSRC(7)
    private static let again = SSRC(8)
    private static let delay = Duration.milliseconds(20)
    private static let numbers = SliceNumber(bits: 8)
    private static let sps = [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1F, 0x95, 0xA0, 0x1E, 0x00, 0x89, 0xF9, 0x50] as [UInt8]
    private static let pps = [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80] as [UInt8]

    private struct Packet {
        let number: UInt16
        let transport: UInt16?
        let timestamp: UInt32
        let dependency: DependencyDescriptor?
        let payload: [UInt8]
    }
    /// A frame of the host; `since` is the first frame that it can follow as a repair picture.
    private struct Frame {
        let isKeyframe: Bool
        let since: UInt64?
    }

    let sender: StreamSender
    var loss: Double
    /// True if the host answers a request for a repair picture with one; false if it answers with a keyframe.
    var repairsFrames = true
    private(set) var frames: UInt64 = 0
    private(set) var keyframes = 0
    private(set) var repairs = 0
    private(set) var newestDecoded: UInt64?
    /// The frames that were decoded wrongly, each with its fault.
    private(set) var faults: [String] = []

    private var random: SeededGenerator
    private var transport = BandwidthEstimator(most: .megabits(100), isTransportWide: true)
    private var now = Instant(nanoseconds: 1_000_000_000)
    private var made: [UInt32: UInt64] = [:]
    private var kinds: [Frame] = []
    private var wish: RepairWish?
    private var coded = 0
    // The packets on the way, and the browser's state.
    private var way: [(at: Instant, packet: Packet)] = []
    private var held: [UInt16: Packet] = [:]
    private var newest: UInt16?
    private var oldest: UInt16?
    private var requests: [UInt16: (count: Int, at: Instant)] = [:]
    private var arrived: [UInt16: Instant] = [:]
    private var nextTold: UInt16 = 1
    private var decoded: Set<UInt16> = []
    private var lastNumber = -1
    private var decodedAt = Instant(nanoseconds: 1_000_000_000)
    private var tick = 0

    init(loss: Double, seed: UInt64, rate: Bitrate = .megabits(20)) {
        self.loss = loss
        random = SeededGenerator(seed: seed)
        var configuration = StreamSender.Configuration(
            ssrc: Self.media, firstSequence: 9, largestPacket: 1200, rate: rate)
        configuration.isHostClock = true
        configuration.retransmissionSSRC = Self.again
        configuration.keyframes = KeyframeRequests(spacing: .milliseconds(100), patience: .seconds(1))
        sender = StreamSender(configuration)
        sender.agree(
            OutgoingExtensions(
                [TransportSequence(0).element(id: 2)], transportSequenceID: 2, dependencyID: 5))
        sender.play(nil)
        sender.keyframes.ask(KeyframeWish("a viewer joins"))
    }

    mutating func run(for time: Duration) {
        let end = now + time
        while now < end {
            now = now + .milliseconds(1)
            tick += 1
            if tick % 16 == 0 { encode() }
            sender.tick(now: now)
            pump()
            receive()
            if tick % 20 == 0 { request() }
            if tick % 50 == 0 { report() }
        }
    }

    // MARK: The host

    private mutating func encode() {
        if let new = sender.pollRepair(now: now) { wish = new }
        var isKeyframe = sender.keyframes.poll(now: now) != nil
        if wish != nil, !repairsFrames { isKeyframe = true }
        var since: UInt64?
        if isKeyframe {
            wish = nil
            coded = 0
            keyframes += 1
        } else if let asked = wish {
            since = asked.since
            wish = nil
        } else if frames > 4, Int.random(in: 0..<20, using: &random) == 0 {
            // For another viewer.
            since = frames - 3
        }
        var annexB = isKeyframe ? Self.sps + Self.pps : []
        // Two slices, in one packet or in many.
        let size = Int.random(in: 0..<3, using: &random) == 0 ? 2500 : 200
        for _ in 0..<2 {
            var writer = BitWriter()
            for value: UInt32 in [0, isKeyframe ? 7 : 5, 0] { writer.unsigned(value) }
            writer.bits(UInt32(coded % 256), 8)
            // Zeros, which need emulation prevention now and then.
            for _ in 0..<size { writer.bits(.random(in: 0...2, using: &random), 8) }
            writer.finish(header: [isKeyframe ? 0x65 : 0x41], into: &annexB)
        }
        coded += 1
        let slice = EncodedSlice(
            frameIndex: frames, annexB: annexB, isFirst: true, isLast: true, isKeyframe: isKeyframe,
            timing: FrameTiming(damaged: now, captured: now), repairsSince: since)
        made[MediaClock.timestamp(now)] = frames
        kinds.append(Frame(isKeyframe: isKeyframe, since: since))
        frames += 1
        let before = sender.statistics.repairs
        let format = SendFormat(payloadType: PayloadType(96), repair: .retransmissionStream(PayloadType(98)))
        sender.send(PacketizedSlice(slice, codec: .h264, limits: sender.largestPayload), as: format, now: now)
        repairs += sender.statistics.repairs - before
    }

    private mutating func pump() {
        var left: [Packet] = []
        sender.pump(transport: &transport, now: now) { (departure: consuming StreamSender.Departure) in
            guard case .packet(let bytes, _, _, _) = consume departure else { return }
            let packet = bytes.span.bytes
            guard let header = RTPHeader.parse(packet), let payload = header.payload(in: packet) else {
                Issue.record("no RTP")
                return
            }
            var number = header.sequence
            var range = payload
            if header.ssrc == Self.again {
                guard let parts = Retransmission.split(payload, of: packet) else { return }
                (number, range) = (parts.original, parts.payload)
            }
            left.append(
                Packet(
                    number: number, transport: TransportSequence(id: 2, of: header, in: packet)?.number,
                    timestamp: header.timestamp,
                    dependency: DependencyDescriptor(id: 5, of: header, in: packet), payload: Array(bytes[range])))
        }
        for packet in left where Double.random(in: 0..<1, using: &random) >= loss {
            way.append((now + Self.delay, packet))
        }
    }

    // MARK: The browser

    private mutating func receive() {
        while let first = way.first, first.at <= now {
            way.removeFirst()
            let packet = first.packet
            if let number = packet.transport { arrived[number] = now }
            held[packet.number] = packet
            requests[packet.number] = nil
            if oldest == nil { oldest = packet.number }
            if newest.map({ Int16(bitPattern: packet.number &- $0) > 0 }) ?? true { newest = packet.number }
        }
        while decodeNext() {}
        if now - decodedAt > .seconds(3) {
            decodedAt = now
            sender.handlePictureLoss()
        }
    }

    private mutating func decodeNext() -> Bool {
        guard let oldest, let newest else { return false }
        var number = oldest
        while Int16(bitPattern: newest &- number) >= 0 {
            if let unit = unit(from: number), decode(unit, from: number) { return true }
            number &+= 1
        }
        return false
    }

    /// The packets of a frame that begins with this number; `nil` if the frame is incomplete.
    private func unit(from number: UInt16) -> [Packet]? {
        guard let first = held[number], let described = first.dependency, described.isFirst else { return nil }
        var unit = [first]
        while unit[unit.count - 1].dependency?.isLast != true {
            guard let next = held[number &+ UInt16(unit.count)], next.dependency?.number == described.number else {
                return nil
            }
            unit.append(next)
        }
        return unit
    }

    private mutating func decode(_ unit: [Packet], from number: UInt16) -> Bool {
        guard let described = unit[0].dependency, !decoded.contains(described.number),
            let index = made[unit[0].timestamp]
        else { return false }
        let frame = kinds[Int(index)]
        if described.template == .followsPrevious {
            guard decoded.contains(described.number &- UInt16(described.back ?? 1)) else { return false }
        } else if !frame.isKeyframe {
            faults.append("\(index) refers to nothing")
        }
        let follows = newestDecoded.map { last in frame.since.map { $0 <= last } ?? (index == last + 1) } ?? false
        if !frame.isKeyframe, !follows {
            faults.append("\(index) after \(newestDecoded.map(String.init) ?? "nothing")")
        }
        let expected = frame.isKeyframe ? 0 : (lastNumber + 1) % 256
        for packet in unit {
            if let coded = SlicePayload(Self.numbers).read(packet.payload.span.bytes), coded != expected {
                faults.append("\(index) has frame_num \(coded), not \(expected)")
            }
        }
        lastNumber = expected
        newestDecoded = index
        decodedAt = now
        decoded.insert(described.number)
        // Older packets are not needed any more.
        oldest = number &+ UInt16(unit.count)
        requests = requests.filter { Int16(bitPattern: $0.key &- number) >= 0 }
        held = held.filter { Int16(bitPattern: $0.key &- number) >= 0 }
        return true
    }

    private mutating func request() {
        guard let oldest, let newest else { return }
        var lost: [UInt16] = []
        var number = oldest
        while Int16(bitPattern: newest &- number) > 0 {
            if held[number] == nil {
                var request = requests[number] ?? (0, now - .seconds(1))
                if request.count < 10, now - request.at >= .milliseconds(100) {
                    request = (request.count + 1, now)
                    lost.append(number)
                }
                requests[number] = request
            }
            number &+= 1
        }
        if !lost.isEmpty { sender.handle(GenericNACK(sender: SSRC(1), media: Self.media, lost: lost), now: now) }
    }

    private mutating func report() {
        guard let last = arrived.keys.max(by: { Int16(bitPattern: $1 &- $0) > 0 }),
            Int16(bitPattern: last &- nextTold) >= 0
        else { return }
        var deltas: [Int16?] = []
        var number = nextTold
        let unit = TransportFeedback.referenceUnit.nanoseconds
        let reference = now.nanoseconds / unit - 4
        var clock = reference * unit
        while Int16(bitPattern: last &- number) >= 0 {
            deltas.append(
                arrived[number].map { at in
                    let ticks = (at.nanoseconds - clock) / TransportFeedback.tick.nanoseconds
                    clock += ticks * TransportFeedback.tick.nanoseconds
                    return Int16(ticks)
                })
            number &+= 1
        }
        let feedback = TransportFeedback(
            sender: SSRC(1), media: Self.media, base: nextTold, referenceTime: Int32(reference), count: 0,
            deltas: deltas)
        nextTold = last &+ 1
        arrived.removeAll()
        _ = transport.handle(feedback, now: now)
        for copy in transport.arrived { sender.handle(arrived: copy) }
        for copy in transport.missing { sender.handle(missing: copy, now: now) }
    }
}
