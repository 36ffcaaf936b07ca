import HelioCore
import HelioPlayout
import Testing

@Suite("Pictures in step with their sound")
struct PictureTimingTests {
    /// An instant of the source's clock, which differs from the local one.
    private static let source = Instant(nanoseconds: 999_000_000_000)

    /// A host that shows video, by default at 30 pictures a second, with sound that arrives later than its pictures by
    /// a set time.
    private struct Screen {
        var timing: PictureTiming
        var scheduler = FrameScheduler<Int>(configuration: PictureTimingTests.configuration)
        var soundDelay = Duration.milliseconds(70)
        var pictureDelay = Duration.milliseconds(25)
        var random = SeededGenerator(seed: 3)
        /// For each picture, its lateness relative to its sound, and how long it waited.
        var offsets: [(number: Int, offset: Double, waited: Double)] = []
        var hasSound = true
        private var arrived: [Int: (captured: Instant, at: Instant)] = [:]
        private var number = 0
        var begun = Instant(nanoseconds: 1_000_000_000)

        init(_ policy: SyncPolicy) { timing = PictureTiming(policy: policy) }

        mutating func run(pictures: Int, every: Duration, share: Double) {
            for _ in 0..<pictures {
                let captured = begun
                let wobble = Duration.microseconds(Int.random(in: 0...6000, using: &random))
                let arrival = captured + pictureDelay + wobble
                render(until: arrival)
                let onSource = PictureTimingTests.source + (captured - .zero)
                if hasSound {
                    let noise = Duration.microseconds(Int.random(in: -2000...2000, using: &random))
                    let heard = arrival + .milliseconds(15)
                    timing.handle(
                        presented: (PictureTimingTests.source + (heard - soundDelay - .zero) + noise, heard),
                        now: arrival)
                } else {
                    timing.handle(presented: nil, now: arrival)
                }
                arrived[number] = (captured, arrival)
                scheduler.addFrame(
                    number, index: UInt64(number),
                    pts: timing.due(captured: onSource, share: share, now: arrival))
                number += 1
                begun = begun + every
                render(until: arrival)
            }
        }

        private var clock = Instant.zero

        /// Renders at every instant at which something is due.
        private mutating func render(until end: Instant) {
            while true {
                switch scheduler.render(now: max(clock, .zero)) {
                case .show(let frame, _, _):
                    guard let (captured, at) = arrived[frame.handle] else { break }
                    offsets.append(
                        (frame.handle, (clock - captured - soundDelay).milliseconds, (clock - at).milliseconds))
                case .wait(let wait, _):
                    guard clock + wait <= end else {
                        clock = max(clock, end)
                        return
                    }
                    clock = clock + wait
                case .idle:
                    clock = max(clock, end)
                    return
                }
            }
        }
    }

    private static var configuration: FrameScheduler<Int>.Configuration {
        var configuration = FrameScheduler<Int>.Configuration(policy: .timed)
        configuration.cacheLimit = 1
        return configuration
    }

    @Test func row60MovingVideoIsInStepWithin20ms() {
        var screen = Screen(.auto)
        screen.run(pictures: 300, every: .microseconds(33_333), share: 0.4)
        let settled = screen.offsets.filter { $0.number > 90 }.map { abs($0.offset) }.sorted()
        #expect(settled.count > 200)
        #expect(settled[settled.count * 95 / 100] < 20)
        #expect(screen.scheduler.drops.total == 0)
        // Before it was recognised as video, no picture waited.
        #expect(screen.offsets.first { $0.number == 5 }?.waited == 0)
    }

    @Test func video60TimesASecondWaitsWithoutALoss() {
        var screen = Screen(.auto)
        screen.soundDelay = .milliseconds(180)
        screen.run(pictures: 600, every: .microseconds(16_667), share: 0.9)
        let settled = screen.offsets.filter { $0.number > 200 }
        #expect(settled.count > 380)
        #expect(settled.allSatisfy { abs($0.offset) < 20 && $0.waited <= 200 })
        #expect(screen.scheduler.drops[.backlog] == 0)
    }

    @Test func aLetterNeverWaits() {
        var screen = Screen(.auto)
        screen.run(pictures: 100, every: .milliseconds(50), share: 0.01)
        #expect(screen.offsets.count >= 99)
        #expect(screen.offsets.allSatisfy { $0.waited == 0 })
        // Nor during a video: it replaces the waiting pictures, whose content it includes.
        screen.run(pictures: 150, every: .microseconds(33_333), share: 0.4)
        screen.run(pictures: 1, every: .microseconds(5000), share: 0.001)
        screen.run(pictures: 1, every: .microseconds(33_333), share: 0.4)
        #expect(screen.offsets.first { $0.number == 250 }?.waited == 0)
        #expect(screen.offsets.map(\.number) == screen.offsets.map(\.number).sorted())
    }

    @Test func immediateNeverWaitsAndInStepAlways() {
        var immediate = Screen(.immediate)
        immediate.run(pictures: 200, every: .microseconds(33_333), share: 0.5)
        #expect(immediate.offsets.allSatisfy { $0.waited == 0 })
        #expect(!immediate.timing.isInStep)
        var inStep = Screen(.inStep)
        inStep.run(pictures: 200, every: .milliseconds(50), share: 0.001)
        #expect(inStep.offsets.dropFirst(10).allSatisfy { abs($0.offset) < 20 && $0.waited > 10 })
    }

    @Test func nothingWaitsWithoutSound() {
        for policy in SyncPolicy.allCases {
            var screen = Screen(policy)
            screen.hasSound = false
            screen.run(pictures: 200, every: .microseconds(33_333), share: 0.5)
            #expect(screen.offsets.allSatisfy { $0.waited == 0 })
        }
        // Nor after the sound has ended.
        var screen = Screen(.inStep)
        screen.run(pictures: 100, every: .microseconds(33_333), share: 0.5)
        screen.hasSound = false
        screen.run(pictures: 100, every: .microseconds(33_333), share: 0.5)
        #expect(screen.offsets.filter { $0.number > 120 }.allSatisfy { $0.waited == 0 })
    }

    @Test func nothingWaitsLongerThanTheBound() {
        var screen = Screen(.inStep)
        screen.soundDelay = .milliseconds(900)
        screen.run(pictures: 100, every: .microseconds(33_333), share: 0.5)
        #expect(screen.offsets.allSatisfy { $0.waited <= 200.001 })
        var timing = PictureTiming(policy: .inStep)
        let now = Instant(nanoseconds: 5_000_000_000)
        timing.handle(presented: (.zero, now), now: now)
        #expect(timing.due(captured: Instant(nanoseconds: .max / 2), share: 1, now: now) <= now + .milliseconds(200))
        #expect(timing.due(captured: nil, share: 1, now: now) == now)
    }

    @Test func whatTheSoundSaysOnceIsNoReasonToJump() {
        var timing = PictureTiming(policy: .inStep)
        var now = Instant(nanoseconds: 5_000_000_000)
        for round in 0..<100 {
            let stray = round == 50 ? Duration.milliseconds(150) : .zero
            timing.handle(presented: (now - .milliseconds(60) - stray, now), now: now)
            now = now + .milliseconds(5)
        }
        #expect(timing.due(captured: now, share: 1, now: now) == now + .milliseconds(60))
        // A value that is reported repeatedly is believed.
        for _ in 0..<4 {
            timing.handle(presented: (now - .milliseconds(150), now), now: now)
            now = now + .milliseconds(5)
        }
        #expect(timing.due(captured: now, share: 1, now: now) == now + .milliseconds(150))
    }

    @Test func theirNamesAreThoseOfTheOption() {
        #expect(SyncPolicy.allCases.map(\.rawValue) == ["auto", "immediate", "in-step"])
    }
}
