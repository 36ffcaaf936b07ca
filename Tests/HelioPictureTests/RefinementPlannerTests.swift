import HelioCore
import HelioPicture
import Testing

@Suite struct RefinementPlannerTests {
    @Test func aRestingPictureIsRefinedInStepsThenCostsNothing() {
        var planner = RefinementPlanner()
        #expect(planner.deadline?.at == nil)
        planner.changed(at: .zero)
        var steps: [Int] = []
        var instants: [Instant] = []
        while let deadline = planner.deadline {
            #expect(planner.due(now: deadline.at - .nanoseconds(1)) == nil)
            guard let step = planner.due(now: deadline.at) else { break }
            steps.append(step)
            instants.append(deadline.at)
            planner.refined(step: step, at: deadline.at)
        }
        #expect(steps == [1, 2, 3])
        #expect(instants == [250, 266, 282].map { .zero + .milliseconds($0) })
        #expect(planner.due(now: .zero + .seconds(3600)) == nil)
    }

    @Test func aChangeAbortsAndStartsOver() {
        var planner = RefinementPlanner()
        planner.changed(at: .zero)
        let first = Instant.zero + .milliseconds(250)
        planner.refined(step: 1, at: first)
        planner.changed(at: first + .milliseconds(10))
        #expect(planner.due(now: first + .milliseconds(259)) == nil)
        #expect(planner.due(now: first + .milliseconds(260)) == 1)
    }

    @Test func aStepFromBeforeAChangeCountsForNothing() {
        var planner = RefinementPlanner()
        planner.changed(at: .zero)
        planner.refined(step: 1, at: .zero + .milliseconds(250))
        planner.changed(at: .zero + .milliseconds(300))
        planner.refined(step: 2, at: .zero + .milliseconds(330))
        #expect(planner.due(now: .zero + .milliseconds(550)) == 1)
    }

    @Test func steadyChangesAreNeverRefined() {
        var planner = RefinementPlanner()
        for tick in 0..<1000 {
            let now = Instant.zero + .milliseconds(16 * tick)
            #expect(planner.due(now: now) == nil)
            planner.changed(at: now)
        }
    }

    @Test func whoTypesSeesTheRestSharpen() {
        var planner = RefinementPlanner()
        planner.changed(at: .zero)
        var steps: [Int] = []
        // A key press every tenth of a second, starting with the first one.
        for tick in 0..<30 {
            let key = Instant.zero + .milliseconds(100 * tick)
            planner.changed(at: key, isSmall: true)
            while let due = planner.deadline, due.at < key + .milliseconds(100) {
                guard let step = planner.due(now: due.at) else { break }
                steps.append(step)
                planner.refined(step: step, at: due.at)
            }
        }
        // All steps once; afterwards the full pause applies again.
        #expect(steps == [1, 2, 3])
        // A large change makes the whole picture coarse again.
        planner.changed(at: .zero + .seconds(4))
        planner.changed(at: .zero + .milliseconds(4100), isSmall: true)
        #expect(planner.deadline?.at == .zero + .milliseconds(4140))
    }

    @Test func aStepWithoutAPictureIsFollowedAtOnce() {
        var planner = RefinementPlanner()
        planner.changed(at: .zero)
        let first = Instant.zero + .milliseconds(250)
        planner.refined(step: 1, at: first, bytes: 0)
        #expect(planner.due(now: first) == 2)
        planner.refined(step: 2, at: first)
        #expect(planner.due(now: first + .milliseconds(15)) == nil)
        #expect(planner.due(now: first + .milliseconds(16)) == 3)
    }

    /// A refinement step that is transmitted quickly needs only a short pause after it.
    @Test(arguments: [(1, 4), (6000, 4), (6001, 8), (12_000, 8), (14_000, 12), (24_000, 16), (1_000_000, 16)])
    func theLessAStepTookTheSoonerTheNext(bytes: Int, pause: Int64) {
        var planner = RefinementPlanner()
        planner.changed(at: .zero)
        let first = Instant.zero + .milliseconds(250)
        planner.refined(step: 1, at: first, bytes: bytes)
        #expect(planner.deadline?.at == first + .milliseconds(pause))
    }

    @Test func noStepsNoPlan() {
        var configuration = RefinementPlanner.Configuration()
        configuration.steps = 0
        var planner = RefinementPlanner(configuration: configuration)
        planner.changed(at: .zero)
        #expect(planner.deadline?.at == nil)
    }
}
