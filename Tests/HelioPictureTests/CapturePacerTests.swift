import HelioCore
import HelioPicture
import Testing

@Suite struct CapturePacerTests {
    /// Captures each change as early as permitted; returns each one's delay.
    private func waits(_ changes: [Instant]) -> [Duration] {
        var pacer = CapturePacer(framesPerSecond: 60)
        var free = Instant.zero
        return changes.map { change in
            let at = pacer.earliestCapture(now: max(change, free))
            pacer.captured(at: at)
            free = at
            return at - change
        }
    }

    @Test(arguments: [30.0, 59.0, 59.8, 59.94, 60.0])
    func aSteadySourceIsNeverDelayed(rate: Double) {
        let changes = (0..<10_000).map { Instant(nanoseconds: 1000 + Int64((Double($0) / rate * 1e9).rounded(.up))) }
        #expect(waits(changes).allSatisfy { $0 == .zero })
    }

    @Test func ticksThatJitterWithinAnIntervalAreNotDelayed() {
        var random = SeededGenerator(seed: 1)
        let changes = (0..<10_000).map {
            Instant(nanoseconds: Int64($0) * 16_666_667 + Int64(random.unit() * 16_000_000))
        }
        #expect(waits(changes).allSatisfy { $0 == .zero })
    }

    @Test(arguments: [0, 1, 8, 16, 17, 1000])
    func aChangeAfterARestIsCapturedAtOnce(phaseMilliseconds: Int) {
        var pacer = CapturePacer(framesPerSecond: 60)
        var now = Instant.zero
        for _ in 0..<100 {
            now = pacer.earliestCapture(now: now)
            pacer.captured(at: now)
        }
        now = now + .milliseconds(50 + phaseMilliseconds)
        #expect(pacer.earliestCapture(now: now) == now)
    }

    @Test func sixtyASecondIsTheCeiling() {
        var pacer = CapturePacer(framesPerSecond: 60)
        var now = Instant.zero
        var captures = 0
        while now <= .zero + .seconds(10) {
            pacer.captured(at: now)
            captures += 1
            now = pacer.earliestCapture(now: now)
        }
        #expect((600...602).contains(captures))
    }

    @Test func theRateCanChangeAndNonsenseIsOne() {
        var pacer = CapturePacer(framesPerSecond: 60)
        pacer.setRate(framesPerSecond: 0)
        for _ in 0..<3 { pacer.captured(at: .zero) }
        #expect(pacer.earliestCapture(now: .zero) == .zero + .seconds(2))
    }
}
