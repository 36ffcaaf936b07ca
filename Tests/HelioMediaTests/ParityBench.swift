import HelioCore
import HelioMedia
import HelioRTP

/// A block of packets of different lengths, their parity packets by one of the codes, and a decoder that has received
/// parity before; until then it stores nothing.
struct ParityBench<Decoder: ParityDecoding> {
    static var ssrc: SSRC { SSRC(0xCAFE) }
    private static var type: PayloadType { PayloadType(96) }
    /// The ID of the header extension that is stamped when packets are sent.
    static var stamp: UInt8 { 2 }

    private var decoder: Decoder
    private var extender = SequenceExtender()
    /// The source packets; their sequence numbers wrap.
    var packets: [(sequence: ExtendedSequence, bytes: [UInt8])] = []
    private(set) var parities: [[UInt8]] = []
    private let now = Instant.zero + .seconds(1)

    /// - Parameter decoder: a new decoder that excludes `stamp` from the parity.
    init(_ decoder: Decoder, _ code: any ParityCode, sources: Int, parities: Int) {
        self.decoder = decoder
        let first: UInt64 = 0x1_FFFE
        var encoder = ParityEncoder(code)
        for index in 0..<sources {
            let sequence = ExtendedSequence(first + UInt64(index))
            let bytes = Self.packet(sequence, payload: 10 + index * 7 % 40, isLast: index == sources - 1)
            encoder.take(bytes.span.bytes, headerLength: 20, payload: bytes.count - 20, sequence: sequence, frame: 7)
            packets.append((sequence, bytes))
        }
        for index in 0..<parities {
            var payload: [UInt8] = []
            let isMade = encoder.append(parity: index, of: parities, block: 0, of: 1, to: &payload)
            precondition(isMade, "no parity")
            self.parities.append(payload)
        }
        begin(code, at: ExtendedSequence(first - 1))
    }

    /// Loses a packet, and restores it from its parity.
    private mutating func begin(_ code: any ParityCode, at sequence: ExtendedSequence) {
        extender.accept(sequence)
        let bytes = Self.packet(sequence, payload: 30, isLast: true)
        var encoder = ParityEncoder(code)
        encoder.take(bytes.span.bytes, headerLength: 20, payload: 30, sequence: sequence, frame: 6)
        var payload: [UInt8] = []
        let isMade = encoder.append(parity: 0, of: 1, block: 0, of: 1, to: &payload)
        precondition(isMade, "no parity")
        parity(payload)
        let isRestored = restored() == [sequence: bytes]
        precondition(isRestored, "it does not begin")
    }

    private static func packet(_ sequence: ExtendedSequence, payload: Int, isLast: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        RTPHeader(marker: isLast, payloadType: type, sequence: sequence.wire, timestamp: 90_000, ssrc: ssrc)
            .write(into: &bytes, hasExtension: true)
        RTPHeaderExtension.write([.init(id: stamp, data: [0, 0])], into: &bytes)
        for index in 0..<payload { bytes.append(UInt8(truncatingIfNeeded: index &* 5 &+ payload)) }
        return bytes
    }

    /// Passes the payload of a parity packet to the decoder.
    @discardableResult
    mutating func parity(_ payload: [UInt8], at time: Duration = .zero) -> ParityDecoder.Outcome {
        decoder.take(parity: payload, payload: payload.indices, numbers: extender, ssrc: Self.ssrc, now: now + time)
    }

    /// Passes a received packet to the decoder; its stamp differs in each.
    mutating func source(_ index: Int, as ssrc: SSRC = Self.ssrc) {
        var (sequence, bytes) = packets[index]
        bytes[17] = UInt8(truncatingIfNeeded: index + 1)
        bytes.set(bigEndian: ssrc.rawValue, at: 8)
        extender.accept(sequence)
        guard let header = RTPHeader.parse(bytes.span.bytes), let payload = header.payload(in: bytes.span.bytes)
        else { return }
        decoder.take(bytes, header, payload: payload, type: Self.type, sequence: sequence, ssrc: Self.ssrc)
    }

    mutating func restored() -> [ExtendedSequence: [UInt8]] {
        var all: [ExtendedSequence: [UInt8]] = [:]
        while let packet = decoder.poll() { all[packet.sequence] = packet.bytes }
        return all
    }

    /// The lost packets as they must be restored.
    func expected(_ lost: [Int]) -> [ExtendedSequence: [UInt8]] {
        Dictionary(uniqueKeysWithValues: lost.map { (packets[$0].sequence, packets[$0].bytes) })
    }
}
