import HelioCore
import HelioPlayout
import Testing

@Suite struct FrameSchedulerTests {
    private typealias Scheduler = FrameScheduler<String>

    /// Describes an action in words, for comparisons.
    private func words(_ action: Scheduler.Action) -> String {
        func names(_ frames: [Scheduler.Frame]) -> String {
            frames.isEmpty ? "" : " dropping " + frames.map(\.handle).joined(separator: ",")
        }
        switch action {
        case .show(let frame, let dropped, let next): return "show \(frame.handle)\(names(dropped)) next \(us(next))"
        case .wait(let wait, let dropped): return "wait \(us(wait))\(names(dropped))"
        case .idle(let wait): return "idle \(us(wait))"
        }
    }

    private func us(_ duration: Duration) -> Int64 { duration.nanoseconds / 1000 }
    private func at(_ microseconds: Int64) -> Instant { .zero + .microseconds(1_000_000 + microseconds) }
    private func timed() -> Scheduler { Scheduler(configuration: .init(policy: .timed)) }

    @Test func row46Defaults() {
        let configuration = Scheduler.Configuration()
        #expect(configuration.refreshInterval == .microseconds(16000))
        #expect(configuration.longestDelay == .microseconds(70000))
        #expect(configuration.lead == .zero)
        // Defect 2: the limit is not 0, which means off.
        #expect((1...8).contains(configuration.cacheLimit))
        #expect(configuration.policy == .immediate)
    }

    @Test func row47AFrameMoreThan70msLateIsDroppedAndTheNextLookedAtAtOnce() {
        var scheduler = timed()
        scheduler.addFrame("a", index: 0, pts: at(0))
        scheduler.addFrame("b", index: 1, pts: at(16_000))
        #expect(words(scheduler.render(now: at(70_001))) == "wait 0 dropping a")
        #expect(scheduler.drops[.late] == 1)
        #expect(words(scheduler.render(now: at(70_001))) == "show b next 16000")
    }

    @Test func row47AtExactly70msItIsStillShown() {
        var scheduler = timed()
        scheduler.addFrame("a", index: 0, pts: at(0))
        scheduler.addFrame("b", index: 1, pts: at(16_000))
        #expect(words(scheduler.render(now: at(70_000))) == "show a next 16000")
    }

    @Test func theNewestFrameIsShownHoweverLate() {
        var scheduler = timed()
        scheduler.addFrame("last before the screen rests", index: 0, pts: at(0))
        #expect(words(scheduler.render(now: at(5_000_000))) == "show last before the screen rests next 16000")
        #expect(scheduler.drops.total == 0)
    }

    @Test func row48AnEarlyFrameStaysAndItsTimeIsTold() {
        var scheduler = timed()
        scheduler.addFrame("a", index: 0, pts: at(30_000))
        #expect(words(scheduler.render(now: at(10_000))) == "wait 20000")
        #expect(scheduler.pendingCount == 1)
        #expect(words(scheduler.render(now: at(30_000))) == "show a next 16000")
    }

    @Test func row49ADueFrameIsShownAndTheRefreshIntervalTold() {
        var scheduler = timed()
        scheduler.setRefreshRate(120)
        scheduler.setRefreshRate(0)
        scheduler.addFrame("a", index: 0, pts: at(0))
        #expect(words(scheduler.render(now: at(0))) == "show a next 8333")
        #expect(scheduler.shown == 1)
    }

    @Test func row50AnEmptyQueueTellsTheEmptyWait() {
        var scheduler = timed()
        #expect(words(scheduler.render(now: at(0))) == "idle 16000")
        #expect(words(scheduler.forceRender()) == "idle 16000")
    }

    @Test func row51ABacklogKeepsTheNewestOnly() {
        var scheduler = timed()
        for index in 0..<5 as Range<UInt64> {
            scheduler.addFrame("\(index)", index: index, pts: at(Int64(index) * 16_000))
        }
        #expect(words(scheduler.render(now: at(64_000))) == "show 4 dropping 0,1,2,3 next 16000")
        #expect(scheduler.drops[.backlog] == 4)
    }

    @Test func row51FramesHeldBackOnPurposeAreNoBacklog() {
        var scheduler = timed()
        scheduler.updateJitterBuffer(bufferMs: 100)
        for index in 0..<7 as Range<UInt64> {
            scheduler.addFrame("\(index)", index: index, pts: at(Int64(index) * 16_000))
        }
        #expect(words(scheduler.render(now: at(96_000))) == "wait 4000")
        #expect(scheduler.drops.total == 0)
    }

    @Test func row51FramesThatAreNotDueAreNoBacklogAndStay() {
        var configuration = Scheduler.Configuration(policy: .timed)
        configuration.cacheLimit = 1
        var scheduler = Scheduler(configuration: configuration)
        for index in 0..<7 as Range<UInt64> {
            scheduler.addFrame("\(index)", index: index, pts: at(Int64(index) * 16_000))
        }
        #expect(words(scheduler.render(now: at(40_000))) == "show 2 dropping 0,1 next 16000")
        #expect(scheduler.pendingCount == 4)
        #expect(words(scheduler.render(now: at(40_000))) == "wait 8000")
    }

    @Test func aFrameThatIsDueTakesThePlaceOfEarlierOnesThatWait() {
        var scheduler = timed()
        scheduler.addFrame("video", index: 0, pts: at(50_000))
        scheduler.addFrame("video too", index: 1, pts: at(66_000))
        scheduler.addFrame("letter", index: 2, pts: at(10_000))
        #expect(words(scheduler.render(now: at(10_000))) == "show letter dropping video,video too next 16000")
        #expect(scheduler.drops[.superseded] == 2)
        #expect(words(scheduler.render(now: at(66_000))) == "idle 16000")
    }

    @Test func row40TheBufferGrowsAndShrinks() {
        var scheduler = timed()
        scheduler.addFrame("a", index: 0, pts: at(0))
        scheduler.updateJitterBuffer(bufferMs: 40)
        #expect(words(scheduler.render(now: at(0))) == "wait 40000")
        scheduler.updateJitterBuffer(bufferMs: 10)
        #expect(words(scheduler.render(now: at(0))) == "wait 10000")
        scheduler.updateJitterBuffer(bufferMs: -5)
        #expect(words(scheduler.render(now: at(0))) == "show a next 16000")
    }

    @Test func row77EqualTimesKeepTheOrderOfTheirIndex() {
        var scheduler = timed()
        for index in [1, 0, 2, 3] as [UInt64] { scheduler.addFrame("\(index)", index: index, pts: at(0)) }
        let order = (0..<4).map { _ in words(scheduler.render(now: at(0))).split(separator: " ")[1] }
        #expect(order == ["0", "1", "2", "3"])
    }

    @Test func framesLeaveByTimeWhateverTheOrderOfTheirComing() {
        var scheduler = timed()
        scheduler.addFrame("b", index: 1, pts: at(16_000))
        scheduler.addFrame("a", index: 0, pts: at(0))
        #expect(words(scheduler.render(now: at(16_000))) == "show a next 16000")
        #expect(words(scheduler.render(now: at(16_000))) == "show b next 16000")
    }

    @Test func whatIsOlderThanTheScreenIsNotShown() {
        var scheduler = timed()
        scheduler.addFrame("b", index: 1, pts: at(0))
        _ = scheduler.render(now: at(0))
        scheduler.addFrame("a", index: 0, pts: at(0))
        #expect(scheduler.pendingCount == 0)
        #expect(scheduler.drops[.outOfOrder] == 1)
        // After a restart of the source, its indices start again.
        scheduler.reset()
        scheduler.addFrame("a", index: 0, pts: at(0))
        #expect(words(scheduler.render(now: at(0))) == "show a next 16000")
    }

    @Test func immediateShowsTheNewestAtOnceWhateverItsTime() {
        var scheduler = Scheduler()
        scheduler.addFrame("a", index: 0, pts: at(0))
        scheduler.addFrame("b", index: 1, pts: at(900_000))
        #expect(words(scheduler.render(now: at(-50))) == "show b dropping a next 16000")
        #expect(scheduler.drops[.superseded] == 1)
    }

    @Test func forceRenderShowsTheNewestNow() {
        var scheduler = timed()
        scheduler.addFrame("a", index: 0, pts: at(1_000_000))
        scheduler.addFrame("b", index: 1, pts: at(2_000_000))
        #expect(words(scheduler.forceRender()) == "show b dropping a next 16000")
    }

    @Test func defect2GrowthIsBoundedEvenIfNobodyRenders() {
        var configuration = Scheduler.Configuration(policy: .timed)
        configuration.cacheLimit = 0
        var scheduler = Scheduler(configuration: configuration)
        for index in 0..<100_000 as Range<UInt64> { scheduler.addFrame("", index: index, pts: at(Int64(index))) }
        #expect(scheduler.pendingCount == 32)
        #expect(scheduler.drops[.backlog] == 100_000 - 32)
    }
}
