import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// FlexFEC from peers with and without errors.
struct FlexFECDecoderTests {
    private typealias Bench = ParityBench<FlexFECDecoder>

    private static func bench(sources: Int, parities: Int) -> Bench {
        Bench(
            FlexFECDecoder(stamped: [Bench.stamp]), FlexFECCode(protecting: Bench.ssrc), sources: sources,
            parities: parities)
    }

    /// Computed by hand: two packets of 2 and 3 bytes, XORed byte by byte by the draft's section 6.2.
    @Test func aWholePayload() {
        var encoder = ParityEncoder(FlexFECCode(protecting: SSRC(0x0102_0304)))
        let packets: [[UInt8]] = [
            [0x80, 0x60, 0xFF, 0xFF, 0, 0, 0, 0x10, 1, 2, 3, 4, 0xAA, 0x0F],
            [0x80, 0xE0, 0x00, 0x00, 0, 0, 0, 0x10, 1, 2, 3, 4, 0x55, 0x01, 0x77],
        ]
        for (index, packet) in packets.enumerated() {
            encoder.take(
                packet.span.bytes, headerLength: 12, payload: packet.count - 12,
                sequence: ExtendedSequence(0x1_FFFF + UInt64(index)), frame: 1)
        }
        var payload: [UInt8] = []
        #expect(encoder.append(parity: 0, of: 1, block: 0, of: 1, to: &payload))
        #expect(
            payload == [
                0x00, 0x80, 0x00, 0x01, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 0xFF, 0xFF, 0xE0, 0x00, 0xFF, 0x0E, 0x77,
            ])
    }

    @Test("every pattern of losses with one of each group is restored, byte for byte", arguments: 0..<64)
    func restores(pattern: Int) {
        let lost = (0..<6).filter { pattern >> $0 & 1 == 1 }
        var bench = Self.bench(sources: 6, parities: 2)
        for index in 0..<6 where !lost.contains(index) { bench.source(index) }
        for parity in bench.parities { bench.parity(parity) }
        let groups = [lost.filter { $0 % 2 == 0 }, lost.filter { $0 % 2 == 1 }]
        let restorable = groups.filter { $0.count == 1 }.flatMap(\.self).sorted()
        #expect(bench.restored() == bench.expected(restorable))
    }

    @Test("as many in a row as there is parity", arguments: [1, 2, 5, 23]) func burst(parities: Int) {
        for start in 0...46 - parities {
            var bench = Self.bench(sources: 46, parities: parities)
            let lost = Array(start..<start + parities)
            for parity in bench.parities { bench.parity(parity) }
            for index in 0..<46 where !lost.contains(index) { bench.source(index) }
            #expect(bench.restored() == bench.expected(lost))
        }
    }

    @Test func oneRestoresAnother() {
        var bench = Self.bench(sources: 3, parities: 1)
        func parity(_ places: [Int]) -> [UInt8] {
            var encoder = ParityEncoder(FlexFECCode(protecting: Bench.ssrc))
            for place in places {
                let (sequence, bytes) = bench.packets[place]
                encoder.take(
                    bytes.span.bytes, headerLength: 20, payload: bytes.count - 20, sequence: sequence, frame: 1)
            }
            var payload: [UInt8] = []
            _ = encoder.append(parity: 0, of: 1, block: 0, of: 1, to: &payload)
            return payload
        }
        let (early, late) = (parity([0, 1]), parity([1, 2]))
        bench.parity(early)
        #expect(bench.restored().isEmpty)
        bench.parity(late)
        #expect(bench.restored().isEmpty)
        bench.source(2)
        #expect(bench.restored() == bench.expected([0, 1]))
    }

    @Test func paddingIsRestoredAsItWas() {
        var bench = Self.bench(sources: 2, parities: 0)
        var encoder = ParityEncoder(FlexFECCode(protecting: Bench.ssrc))
        bench.packets[1].bytes[0] |= 0x20
        bench.packets[1].bytes[bench.packets[1].bytes.count - 1] = 4
        for (index, (sequence, bytes)) in bench.packets.enumerated() {
            encoder.take(
                bytes.span.bytes, headerLength: 20, payload: index == 1 ? 0 : bytes.count - 20, sequence: sequence,
                frame: 1)
        }
        var payload: [UInt8] = []
        #expect(encoder.append(parity: 0, of: 1, block: 0, of: 1, to: &payload))
        bench.source(0)
        bench.parity(payload)
        #expect(bench.restored() == bench.expected([1]))
    }

    @Test func aRetransmissionDoesNotCount() {
        var bench = Self.bench(sources: 2, parities: 1)
        bench.source(0, as: SSRC(0xBEEF))
        bench.parity(bench.parities[0])
        #expect(bench.restored().isEmpty)
        bench.source(0)
        #expect(bench.restored() == bench.expected([1]))
    }

    @Test(
        "hostile payloads are malformed",
        arguments: [
            [], [0], [UInt8](repeating: 0, count: 100), [UInt8](repeating: 0xFF, count: 100),
            // Truncated in the mask.
            [0, 0x60, 0, 9, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0xCA, 0xFE, 0xFF, 0xFE, 0x40],
        ] as [[UInt8]])
    func hostile(payload: [UInt8]) {
        var bench = Self.bench(sources: 2, parities: 1)
        bench.source(0)
        guard case .malformed = bench.parity(payload) else {
            Issue.record("it is taken")
            return
        }
        #expect(bench.restored().isEmpty)
    }

    @Test func whatMakesNoPacketIsMalformed() {
        var bench = Self.bench(sources: 2, parities: 1)
        bench.source(0)
        // A recovered length that is too large, and a payload shorter than the received packet.
        var long = bench.parities[0]
        long[2] ^= 0xFF
        guard case .malformed = bench.parity(long) else {
            Issue.record("it is taken")
            return
        }
        guard case .malformed = bench.parity(Array(bench.parities[0].prefix(FlexFECHeader.leastSize + 4))) else {
            Issue.record("it is taken")
            return
        }
        #expect(bench.restored().isEmpty)
    }

    @Test(arguments: [600, 30_000] as [UInt16]) func whatIsFarAwayIsStray(distance: UInt16) {
        for base in [UInt16(0xFFFE) &+ distance, UInt16(0xFFFE) &- distance &- 600] {
            var bench = Self.bench(sources: 2, parities: 1)
            var payload = bench.parities[0]
            payload.set(bigEndian: base, at: 16)
            guard case .stray = bench.parity(payload) else {
                Issue.record("it is taken")
                return
            }
        }
    }

    @Test func anotherStreamsIsStray() {
        var bench = Self.bench(sources: 2, parities: 1)
        var payload = bench.parities[0]
        payload[15] ^= 1
        guard case .stray = bench.parity(payload) else {
            Issue.record("it is taken")
            return
        }
    }

    @Test func memoryIsBounded() {
        var bench = Self.bench(sources: 46, parities: 1)
        for number in 0..<2000 {
            var payload = bench.parities[0]
            payload.set(bigEndian: UInt16(0xFFFE) &+ UInt16(number % 300), at: 16)
            bench.parity(payload, at: .milliseconds(number / 100))
        }
        #expect(bench.restored().isEmpty)
        // The newest parity is still usable.
        bench.parity(bench.parities[0], at: .seconds(3))
        for index in 1..<46 { bench.source(index) }
        #expect(bench.restored() == bench.expected([0]))
    }
}
