import HelioCore
import HelioRTP
import Testing

struct TransportFeedbackTests {
    private static func feedback(_ deltas: [Int16?], base: UInt16 = 1, referenceTime: Int32 = 1) -> TransportFeedback {
        TransportFeedback(
            sender: SSRC(1), media: SSRC(2), base: base, referenceTime: referenceTime, count: 3, deltas: deltas)
    }

    private static func packet(_ feedback: TransportFeedback) -> [UInt8] {
        var bytes: [UInt8] = []
        RTCPPacket.transportFeedback(feedback).write(into: &bytes)
        return bytes
    }

    private static func parse(_ bytes: [UInt8]) -> TransportFeedback? {
        guard case .transportFeedback(let feedback)? = RTCPPacket.parseCompound(bytes.span.bytes)?.first else {
            return nil
        }
        return feedback
    }

    /// Packets written by hand from the draft's diagrams: each kind of chunk, and the deltas behind them.
    @Test(arguments: [
        // A run-length chunk of three small deltas.
        (feedback([4, 4, 4]), "8FCD0006 00000001 00000002 00010003 00000103 2003 0404 04 000000"),
        // A status vector of fourteen one-bit symbols: 1 0 11010000000000.
        (feedback([1, 2, nil, 3]), "8FCD0006 00000001 00000002 00010004 00000103 B400 0102 03 000000"),
        // A status vector of seven two-bit symbols: 1 1 10 00 01 00000000; -1, and 256 as the draft's large deltas.
        (feedback([-1, nil, 5]), "8FCD0006 00000001 00000002 00010003 00000103 E100 FFFF 05 000000"),
        (feedback([256], base: 65535, referenceTime: -1), "8FCD0005 00000001 00000002 FFFF0001 FFFFFF03 4001 0100"),
        // All packets lost but the last: a run-length chunk, then the one.
        (
            feedback([Int16?](repeating: nil, count: 20) + [0]),
            "8FCD0006 00000001 00000002 00010015 00000103 0014 2001 00 000000"
        ),
    ])
    func golden(feedback: TransportFeedback, bytes: String) {
        #expect(Self.packet(feedback) == hex(bytes))
        #expect(Self.parse(hex(bytes)) == feedback)
    }

    @Test func browsersPadTheLastWord() {
        // The P bit is set, and one, two or three bytes of the body are padding.
        let one = "AFCD0005 00000001 00000002 00010003 00000103 E100 FFFF"  // Deltas cut off: the third is missing.
        #expect(Self.parse(hex(one)) == nil)
        let padded = "AFCD0006 00000001 00000002 00010003 00000103 2003 0404 04 000003"
        #expect(Self.parse(hex(padded))?.deltas == [4, 4, 4])
        let byOne = "AFCD0005 00000001 00000002 00010001 00000103 2001 04 01"
        #expect(Self.parse(hex(byOne))?.deltas == [4])
        let byTwo = "AFCD0005 00000001 00000002 00010001 00000103 0001 0002"
        #expect(Self.parse(hex(byTwo))?.deltas == [nil])
        // All other packets must have whole words.
        #expect(RTCPPacket.parseCompound(hex("A1CD0004 00000007 00000008 FFFE8001 000F0003").span.bytes) == nil)
    }

    @Test func arrivalsAddUp() {
        let arrivals = Self.feedback([4, nil, -8, 256], base: 65534).arrivals
        #expect(arrivals.map(\.sequence) == [65534, 65535, 0, 1])
        #expect(
            arrivals.map(\.at) == [.milliseconds(65), nil, .milliseconds(63), .milliseconds(127)])
    }

    @Test(arguments: [
        // No packets; a missing chunk; an empty run; a run past the end; the reserved symbol in both chunk types.
        "8FCD0005 00000001 00000002 00010000 00000103 2003 0404", "8FCD0004 00000001 00000002 00010003 00000103",
        "8FCD0005 00000001 00000002 00010003 00000103 2000 0404",
        "8FCD0006 00000001 00000002 00010001 00000103 2000 2001 04000000",
        "8FCD0005 00000001 00000002 00010001 00000103 2002 0404",
        "8FCD0005 00000001 00000002 00010001 00000103 6001 0404",
        "8FCD0005 00000001 00000002 00010001 00000103 F000 0404",
        // Missing deltas, small and large; extra words behind them.
        "8FCD0005 00000001 00000002 00010003 00000103 2003 0404",
        "8FCD0005 00000001 00000002 00010002 00000103 4002 0404",
        "8FCD0006 00000001 00000002 00010001 00000103 2001 0400 00000000",
        // The fixed part is missing.
        "8FCD0003 00000001 00000002 00010003",
    ])
    func hostile(bytes: String) {
        #expect(RTCPPacket.parseCompound(hex(bytes).span.bytes) == nil)
    }

    @Test func boundsWhatItReads() {
        // 8192 lost packets take two chunks; one more is rejected before memory is allocated for it.
        #expect(Self.parse(hex("8FCD0005 00000001 00000002 00012000 00000103 1FFF 0001"))?.deltas.count == 8192)
        #expect(Self.parse(hex("8FCD0005 00000001 00000002 00012001 00000103 1FFF 0002")) == nil)
        #expect(Self.parse(hex("8FCD0005 00000001 00000002 0001FFFF 00000103 1FFF 1FFF")) == nil)
    }

    @Test func whateverCameIsReadBack() {
        var generator = SeededGenerator(seed: 15)
        for round in 0..<500 {
            // Runs and mixtures of all three symbols.
            var deltas: [Int16?] = []
            let kinds: [Int] = [[0, 1, 2], [0, 1], [1], [0, 0, 0, 2], [1, 1, 1, 1, 1, 1, 1, 0]][round % 5]
            while deltas.count < 1 + round {
                let run = Int.random(in: 1...(round % 7 == 0 ? 40 : 3), using: &generator)
                let kind = kinds.randomElement(using: &generator)
                for _ in 0..<run {
                    switch kind {
                    case 0: deltas.append(nil)
                    case 1: deltas.append(Int16.random(in: 0...255, using: &generator))
                    default: deltas.append(Int16.random(in: .min ... .max, using: &generator))
                    }
                }
            }
            let feedback = Self.feedback(
                deltas, base: UInt16.random(in: 0 ... .max, using: &generator),
                referenceTime: Int32.random(in: -0x80_0000...0x7F_FFFF, using: &generator))
            let bytes = Self.packet(feedback)
            #expect(Self.parse(bytes) == feedback)
            #expect(bytes.count % 4 == 0)
        }
    }

    @Test func runsAreShort() {
        // 8192 packets that arrived in time: two chunks, and a byte each.
        let bytes = Self.packet(Self.feedback([Int16?](repeating: 1, count: 8192)))
        #expect(bytes.count == 20 + 2 * 2 + 8192)
    }
}
