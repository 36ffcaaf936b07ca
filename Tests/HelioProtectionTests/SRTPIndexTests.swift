import HelioProtection
import Testing

@Suite("Rollover counter")
struct SRTPIndexTests {
    /// From various positions, each number less than half the range away is recognised.
    @Test(arguments: [0, 1, 5] as [UInt64], [0, 1, 2, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF] as [UInt64])
    func takesTheNearest(_ rollover: UInt64, _ last: UInt64) {
        let highest = rollover << 16 | last
        for distance in [0, 1, 2, 100, 0x3FFF, 0x7FFE, 0x7FFF] as [UInt64] {
            let ahead = highest + distance
            #expect(SRTPIndex.estimate(wire: UInt16(truncatingIfNeeded: ahead), highest: highest) == ahead)
            if distance <= highest {
                let behind = highest - distance
                #expect(SRTPIndex.estimate(wire: UInt16(truncatingIfNeeded: behind), highest: highest) == behind)
            }
        }
    }

    /// The pseudocode of RFC 3711 section 3.3.1 (appendix A), at its boundaries.
    @Test(
        arguments: [
            (0x2_0000, 0x8000, 0x2_8000), (0x2_0000, 0x8001, 0x1_8001), (0x2_8000, 0x0000, 0x2_0000),
            (0x2_8001, 0x0000, 0x3_0000), (0x2_FFFF, 0x7FFF, 0x2_7FFF), (0x2_FFFF, 0x7FFE, 0x3_7FFE),
            (0x2_7FFF, 0xFFFF, 0x2_FFFF), (0x2_7FFE, 0xFFFF, 0x1_FFFF),
        ] as [(UInt64, UInt16, UInt64)])
    func bordersAreThoseOfTheRFC(_ highest: UInt64, _ wire: UInt16, _ expected: UInt64) {
        #expect(SRTPIndex.estimate(wire: wire, highest: highest) == expected)
    }

    @Test func beginsWithARolloverOfZero() {
        #expect(SRTPIndex.estimate(wire: 0xFFFF, highest: nil) == 0xFFFF)
        // An index below 0 can't exist.
        #expect(SRTPIndex.estimate(wire: 0xFFFE, highest: 2) == 0xFFFE)
    }

    @Test func endsAt48Bits() {
        let last: UInt64 = (1 << 48) - 1
        #expect(SRTPIndex.estimate(wire: 0xFFFF, highest: last) == last)
        #expect(SRTPIndex.estimate(wire: 0, highest: last) == nil)
    }
}
