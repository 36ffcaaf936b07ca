import HelioCore
import HelioRTP
import Testing

struct FrameTimingExtensionTests {
    private func instant(_ microseconds: Int64) -> Instant {
        Instant(nanoseconds: microseconds * 1000)
    }

    private func read(_ written: [UInt8]) -> FrameTimingExtension? {
        FrameTimingExtension.parse(written.span.bytes.extracting(5..<19))
    }

    @Test func hasItsPlaceForEachStage() {
        let captured: Int64 = 0x0102_0304_0506
        let timing = FrameTiming(
            damaged: instant(captured - 300), captured: instant(captured), converted: instant(captured + 400),
            encoded: instant(captured + 8000))
        let message = FrameTimingExtension(timing: timing, sent: instant(captured + 16000))
        var written: [UInt8] = []
        message.writeExtension(id: 3, into: &written)
        #expect(written == hex("BEDE0004 3D 010203040506 012C 0064 03E8 07D0 00"))
        #expect(written.count == FrameTimingExtension.extensionSize)
        #expect(read(written) == message)
    }

    @Test func stagesNotToldStayUntold() {
        let timing = FrameTiming(damaged: instant(5), captured: instant(5))
        let message = FrameTimingExtension(timing: timing, sent: instant(5))
        var written: [UInt8] = []
        message.writeExtension(id: 1, into: &written)
        #expect(written == hex("BEDE0004 1D 000000000005 0000 FFFF FFFF 0000 00"))
        #expect(read(written) == message)
    }

    /// Values just below, at and above the largest of 16 bits, and negative ones.
    @Test(
        arguments: [
            (65533, 65533), (65534, 65534), (65535, 65534), (65536, 65534), (0x100_0000_0000, 65534), (-1, 0),
            (-0x100_0000_0000, 0),
        ] as [(Int64, Int64)])
    func saturates(units: Int64, expected: Int64) throws {
        let captured = instant(1 << 41)
        let timing = FrameTiming(
            damaged: captured - .microseconds(units), captured: captured,
            converted: captured + .microseconds(units * 4), encoded: captured + .microseconds(units * 8))
        var written: [UInt8] = []
        FrameTimingExtension(timing: timing, sent: captured + .microseconds(units * 8))
            .writeExtension(id: 1, into: &written)
        let found = try #require(read(written))
        #expect(captured - found.timing.damaged == .microseconds(expected))
        #expect(found.timing.converted == captured + .microseconds(expected * 4))
        #expect(found.timing.encoded == captured + .microseconds(expected * 8))
        #expect(found.sent == captured + .microseconds(expected * 8))
    }

    @Test(
        arguments: [
            (0, 0), (0xFFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF), (0x1_0000_0000_0000, 0), (0x1_0000_0000_0007, 7),
        ] as [(Int64, Int64)])
    func wrapsAfter48Bits(captured: Int64, expected: Int64) {
        var written: [UInt8] = []
        let timing = FrameTiming(damaged: instant(captured), captured: instant(captured))
        FrameTimingExtension(timing: timing, sent: instant(captured)).writeExtension(id: 1, into: &written)
        #expect(read(written)?.timing.captured == instant(expected))
    }

    @Test(arguments: [0, 1, 13, 15, 20])
    func refusesAnotherLength(count: Int) {
        let data = [UInt8](repeating: 1, count: count)
        #expect(FrameTimingExtension.parse(data.span.bytes) == nil)
    }
}
