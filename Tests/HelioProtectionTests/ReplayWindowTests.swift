import HelioCore
import HelioProtection
import Testing

@Suite("Replay window")
struct ReplayWindowTests {
    @Test func spansAtLeast1024() { #expect(ReplayWindow.span >= 1024) }

    /// Random walks of several kinds, compared with an unbounded set.
    @Test(
        arguments: [1, 63, 64, 65, 500, 1983, 1984, 1985, 2047, 2048, 2049, 10_000] as [UInt64], [0, 1 << 32, 1 << 62])
    func agreesWithASet(_ reach: UInt64, _ base: UInt64) {
        var window = ReplayWindow()
        var seen: Set<UInt64> = []
        var highest = base + 20_000
        var generator = SeededGenerator(seed: reach)
        for _ in 0..<3000 {
            let ahead = UInt64.random(in: 0...reach, using: &generator)
            let behind = UInt64.random(in: 0...2100, using: &generator)
            let sequence = Bool.random(using: &generator) ? highest + ahead : highest - behind
            let expected: ReplayWindow.Verdict =
                switch window.highest {
                case let known? where sequence <= known && known - sequence >= ReplayWindow.span: .tooOld
                default: seen.contains(sequence) ? .repeated : .fresh
                }
            #expect(window.verdict(on: sequence) == expected)
            window.commit(sequence)
            if expected == .fresh { #expect(window.verdict(on: sequence) == .repeated) }
            seen.insert(sequence)
            highest = max(highest, window.highest ?? 0)
        }
    }

    /// A jump of any length leaves no bits of the past.
    @Test(arguments: Array(1...70) + [127, 128, 1984, 2047, 2048, 2049, 4096, 100_000] as [UInt64])
    func jumpsClearWhatTheyPass(_ jump: UInt64) {
        var window = ReplayWindow()
        for sequence in UInt64(0)..<2200 { window.commit(sequence) }
        let top = 2199 + jump
        window.commit(top)
        for distance in 1..<min(jump, ReplayWindow.span) { #expect(window.verdict(on: top - distance) == .fresh) }
        for distance in jump..<max(jump, ReplayWindow.span) { #expect(window.verdict(on: top - distance) == .repeated) }
        #expect(window.verdict(on: top - min(top, ReplayWindow.span)) == .tooOld)
    }

    @Test func worksAtBothEndsOfItsRange() {
        var window = ReplayWindow()
        #expect(window.verdict(on: 0) == .fresh)
        window.commit(0)
        #expect(window.verdict(on: 0) == .repeated && window.highest == 0)
        window.commit(.max)
        #expect(window.verdict(on: .max) == .repeated && window.verdict(on: .max - 1) == .fresh)
        #expect(window.verdict(on: 0) == .tooOld)
        window.commit(0)
        #expect(window.highest == .max)
    }
}
