import HelioCore
import Testing

@Suite struct SequenceExtenderTests {
    static let starts: [UInt16] = [0, 1, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFF0, 0xFFFE, 0xFFFF]

    @Test(arguments: starts)
    func risesByOneThroughThreeWraps(start: UInt16) {
        var extender = SequenceExtender()
        var previous: UInt64?
        for step in 0..<200_000 {
            let extended = extender.extended(start &+ UInt16(truncatingIfNeeded: step))
            if let previous, extended.rawValue != previous + 1 {
                Issue.record("jumped from \(previous) to \(extended.rawValue)")
                return
            }
            previous = extended.rawValue
            extender.accept(extended)
        }
    }

    @Test(arguments: starts, [1, 2, 100, 32767] as [UInt16])
    func whatComesLateIsBefore(start: UInt16, distance: UInt16) {
        var extender = SequenceExtender()
        extender.accept(extender.extended(start))
        let highest = extender.extended(start)
        let late = extender.extended(start &- distance)
        #expect(late.rawValue == highest.rawValue - UInt64(distance))
        #expect(late.wire == start &- distance)
        extender.accept(late)
        #expect(extender.highest == highest)
        #expect(extender.extended(start &+ distance).rawValue == highest.rawValue + UInt64(distance))
    }

    @Test func rolloverCountsWraps() {
        var extender = SequenceExtender()
        extender.accept(extender.extended(0xFFFF))
        let before = extender.extended(0xFFFF).rollover
        #expect(extender.extended(0).rollover == before + 1)
    }
}
