import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// Parity packets from peers with and without errors.
struct ParityDecoderTests {
    private typealias Bench = ParityBench<ParityDecoder>

    private static func bench(sources: Int = 4, parities: Int = 2) -> Bench {
        Bench(ParityDecoder(stamped: [Bench.stamp]), ReedSolomonCode(), sources: sources, parities: parities)
    }

    @Test("every pattern of so many losses is restored, byte for byte", arguments: 0..<16)
    func restores(pattern: Int) {
        let lost = (0..<4).filter { pattern >> $0 & 1 == 1 }
        guard lost.count <= 2 else { return }
        var bench = Self.bench()
        for index in 0..<4 where !lost.contains(index) { bench.source(index) }
        for parity in bench.parities { bench.parity(parity) }
        #expect(bench.restored() == bench.expected(lost))
    }

    @Test func oneThatComesLaterCompletesTheBlock() {
        var bench = Self.bench()
        bench.source(0)
        bench.parity(bench.parities[0])
        guard case .isShort(let end) = bench.parity(bench.parities[1]) else {
            Issue.record("nothing is short")
            return
        }
        #expect(end.rawValue == bench.packets[3].sequence.rawValue + 1)
        #expect(bench.restored().isEmpty)
        bench.source(2)
        #expect(Set(bench.restored().keys) == [bench.packets[1].sequence, bench.packets[3].sequence])
    }

    @Test(
        "hostile headers are malformed",
        arguments: [
            [], [0], [0xFF, 0xFE, 4, 2],
            // No sources, no parities, an index beyond them, too many sources, no symbol.
            [0xFF, 0xFE, 0, 2, 0] + [UInt8](repeating: 1, count: 40),
            [0xFF, 0xFE, 4, 0, 0] + [UInt8](repeating: 1, count: 40),
            [0xFF, 0xFE, 4, 2, 2] + [UInt8](repeating: 1, count: 40),
            [0xFF, 0xFE, 0xFF, 2, 0] + [UInt8](repeating: 1, count: 40),
            [0xFF, 0xFE, 4, 2, 0], [0xFF, 0xFE, 4, 2, 0, 1, 2, 3],
        ] as [[UInt8]])
    func hostile(payload: [UInt8]) {
        var bench = Self.bench()
        guard case .malformed = bench.parity(payload) else {
            Issue.record("taken")
            return
        }
        #expect(bench.restored().isEmpty)
    }

    @Test("parity of packets far away is stray", arguments: [2000, 10_000, 30_000, 40_000, 60_000])
    func jumps(by distance: Int) {
        var bench = Self.bench()
        bench.source(0)
        var payload = bench.parities[0]
        let first = UInt16(truncatingIfNeeded: 0xFFFE + distance)
        payload.set(bigEndian: first, at: 0)
        guard case .stray = bench.parity(payload) else {
            Issue.record("taken")
            return
        }
    }

    @Test("a parity that is replayed, or unlike others of its block, counts for nothing")
    func replays() {
        var bench = Self.bench()
        bench.source(0)
        bench.source(1)
        for _ in 0..<5 { bench.parity(bench.parities[0]) }
        #expect(bench.restored().isEmpty)
        var other = bench.parities[1]
        other[3] = 9
        guard case .malformed = bench.parity(other) else {
            Issue.record("another count is taken")
            return
        }
        guard case .malformed = bench.parity(bench.parities[1] + [0]) else {
            Issue.record("another length is taken")
            return
        }
        bench.parity(bench.parities[1])
        #expect(bench.restored().count == 2)
        // The parity packet again after the block is complete: the restored packet was not passed back, so the decoder
        // still lacks it.
        bench.parity(bench.parities[0])
        #expect(bench.restored().isEmpty)
    }

    @Test("parity that is shorter than what it is of restores nothing")
    func tooShort() {
        var bench = Self.bench()
        for index in 1..<4 { bench.source(index) }
        bench.parity(Array(bench.parities[0].prefix(ParityHeader.size + 12)))
        #expect(bench.restored().isEmpty)
    }

    @Test("what is no packet is not handed on")
    func noise() {
        for seed in 0..<64 as Range<UInt8> {
            var bench = Self.bench()
            for index in 1..<4 { bench.source(index) }
            var payload = bench.parities[0]
            for index in ParityHeader.size..<payload.count { payload[index] = payload[index] &* 31 &+ seed }
            bench.parity(payload)
            // Any restored packet is within the symbol size, and belongs to the gap.
            for (sequence, packet) in bench.restored() {
                #expect(sequence == bench.packets[0].sequence)
                #expect(packet.count <= payload.count + RTPHeader.fixedSize)
            }
        }
    }

    @Test("a sequence that jumps and many blocks leave the decoder bounded, and working")
    func goesOn() {
        var bench = Self.bench()
        bench.source(0)
        for first in stride(from: 0, to: 3000, by: 2) {
            var payload = bench.parities[0]
            payload.set(bigEndian: UInt16(truncatingIfNeeded: 0xFFFE + first % 400), at: 0)
            bench.parity(payload, at: .milliseconds(first))
        }
        #expect(bench.restored().isEmpty)
        var later = Self.bench()
        later.source(0)
        later.source(3)
        for parity in later.parities.reversed() { later.parity(parity) }
        #expect(later.restored().count == 2)
    }
}
