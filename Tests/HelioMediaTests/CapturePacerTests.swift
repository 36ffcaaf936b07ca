import HelioCore
import HelioMedia
import Testing

@Suite struct CapturePacerTests {
    /// Captures each change as early as it may; gives how long each had to wait.
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

    /// Where two pictures came between two refreshes of a display, one refresh has to be without: the change that is
    /// left out comes with the next, and none is late or close to another after that.
    @Test(arguments: [57.0, 59.8, 60.0])
    func aSkipLeavesOutOneChange(rate: Double) {
        var pacer = CapturePacer(framesPerSecond: 60)
        var captures: [Instant] = []
        let changes = (0..<300).map { Instant.zero + .nanoseconds(Int64((Double($0) / rate * 1e9).rounded(.up))) }
        for (index, change) in changes.enumerated() {
            if index == 100 { pacer.skip(now: changes[99] + .milliseconds(9)) }
            let at = pacer.earliestCapture(now: change)
            if index + 1 < changes.count, at > changes[index + 1] { continue }
            pacer.captured(at: at)
            captures.append(at)
        }
        #expect(captures.count == changes.count - 1)
        let gaps = zip(captures, captures.dropFirst()).map { $1 - $0 }
        #expect(gaps.count { $0 > .milliseconds(30) } == 1)
        #expect(gaps.allSatisfy { $0 > .milliseconds(14) && $0 < .milliseconds(36) })
        #expect(zip(captures.suffix(190), changes.suffix(190)).allSatisfy { $0 == $1 })
    }

    @Test func whoAsksToSkipAllTheTimeGetsFourOfSixty() {
        var pacer = CapturePacer(framesPerSecond: 60)
        var captures = 0
        var now = Instant.zero
        while now < .zero + .seconds(10) {
            pacer.skip(now: now)
            if pacer.earliestCapture(now: now) == now {
                pacer.captured(at: now)
                captures += 1
            }
            now = now + .milliseconds(1)
        }
        #expect((545...565).contains(captures), "\(captures)")
    }

    @Test func aChangeAfterARestIsNotSkipped() {
        var pacer = CapturePacer(framesPerSecond: 60)
        pacer.skip(now: .zero)
        #expect(pacer.earliestCapture(now: .zero) == .zero)
        pacer.captured(at: .zero)
        pacer.skip(now: .zero + .milliseconds(40))
        #expect(pacer.earliestCapture(now: .zero + .milliseconds(40)) == .zero + .milliseconds(40))
        // Of one that was skipped, the hold ends before a rest does.
        pacer.captured(at: .zero + .milliseconds(50))
        pacer.skip(now: .zero + .milliseconds(51))
        #expect(pacer.earliestCapture(now: .zero + .milliseconds(90)) == .zero + .milliseconds(90))
    }

    @Test func theRateCanChangeAndNonsenseIsOne() {
        var pacer = CapturePacer(framesPerSecond: 60)
        pacer.setRate(framesPerSecond: 0)
        for _ in 0..<3 { pacer.captured(at: .zero) }
        #expect(pacer.earliestCapture(now: .zero) == .zero + .seconds(2))
    }
}
