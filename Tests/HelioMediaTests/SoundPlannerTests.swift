import HelioCore
import HelioMedia
import Testing

@Suite("Which sound a listener is sent")
struct SoundPlannerTests {
    /// A path with constant conditions for a while; the plan is updated every 50 ms.
    private struct Walk {
        var planner: SoundPlanner
        var now = Instant.zero
        var changes: [(at: Instant, plan: SoundPlanner.Plan)] = []

        init(_ takes: Set<SoundCodec> = [.pcm, .opus]) { planner = SoundPlanner(takes: takes) }

        mutating func pass(
            _ duration: Duration, _ estimate: Bitrate, proven: Bitrate? = nil, most: Bitrate = .megabits(20),
            loss: Double = 0, runLength: Double = 1, report: Double = 0
        ) {
            let end = now + duration
            while now < end {
                now = now + .milliseconds(50)
                planner.noteLoss(report)
                let path = SoundPlanner.Path(
                    estimate: estimate, proven: proven ?? estimate, most: most, loss: loss, runLength: runLength)
                if planner.update(path, now: now) { changes.append((now, planner.plan)) }
            }
        }

        var encode: SoundEncode { planner.plan.encode }
    }

    @Test(
        "samples go once a path has carried far more for two seconds, not before, and not where it was never measured")
    func rich() {
        var walk = Walk()
        walk.pass(.milliseconds(1900), .megabits(20))
        #expect(walk.encode == .opus)
        walk.pass(.milliseconds(300), .megabits(20))
        #expect(walk.encode == .pcm)
        walk = Walk()
        walk.pass(.seconds(10), .megabits(20), proven: .megabits(3))
        #expect(walk.encode == .opus)
        walk.pass(.seconds(10), .megabits(9))
        #expect(walk.encode == .opus)
        // A path estimate at its upper limit needs no margin, if the limit is high enough for PCM.
        walk.pass(.seconds(10), .megabits(8), most: .megabits(8))
        #expect(walk.encode == .pcm)
        walk = Walk()
        walk.pass(.seconds(10), .megabits(5), most: .megabits(5))
        #expect(walk.encode == .opus)
    }

    @Test("a path that goes to and fro changes the encode seldom: less at once, more only after a wait that grows")
    func hysteresis() {
        var walk = Walk()
        for _ in 0..<60 {
            walk.pass(.seconds(5), .megabits(20))
            walk.pass(.seconds(1), .megabits(3))
        }
        #expect(walk.changes.count <= 4, "\(walk.changes.count)")
        walk = Walk()
        for _ in 0..<100 {
            walk.pass(.milliseconds(500), .kilobits(1100))
            walk.pass(.milliseconds(500), .kilobits(650))
        }
        #expect(walk.changes.map(\.plan.encode) == [.thinOpus])
        #expect(walk.changes.first.map { $0.at < .zero + .milliseconds(600) } == true)
        walk.pass(.seconds(20), .kilobits(900))
        #expect(walk.encode == .thinOpus)
        walk.pass(.milliseconds(3200), .kilobits(1100))
        #expect(walk.encode == .opus)
    }

    @Test("samples are given up at the first loss, and packets repeat one or two before them")
    func loss() {
        var walk = Walk()
        walk.pass(.seconds(5), .megabits(20))
        #expect(walk.encode == .pcm && walk.planner.plan.repeats == 0)
        walk.pass(.milliseconds(50), .megabits(20), report: 0.01)
        #expect(walk.encode == .opus && walk.planner.plan.repeats == 1)
        walk.pass(.milliseconds(50), .megabits(20), report: 0.05)
        #expect(walk.planner.plan.repeats == 2)
        walk.pass(.seconds(5), .megabits(20))
        #expect(walk.planner.plan.repeats > 0, "it is remembered for a while")
        walk.pass(.seconds(15), .megabits(20))
        #expect(walk.planner.plan.repeats == 0 && walk.planner.plan.lossShare == 0)
        walk.pass(.seconds(30), .megabits(20))
        #expect(walk.encode == .pcm)
    }

    @Test("what is lost in a row is repeated from farther back: twice as far, up to 60 ms, where the path carries that")
    func runs() {
        for (runLength, reach) in [(1.0, 2), (2.4, 2), (3, 6), (5, 10), (6, 12), (50, 12)] {
            var walk = Walk()
            walk.pass(.milliseconds(50), .megabits(8), loss: 0.02, runLength: runLength)
            #expect(walk.encode == .opus && walk.planner.plan.repeats == 2)
            #expect(walk.planner.plan.reach == reach, "\(runLength): \(walk.planner.plan.reach)")
        }
        var walk = Walk()
        walk.pass(.milliseconds(50), .kilobits(1200), loss: 0.02, runLength: 6)
        #expect(walk.planner.plan.reach == walk.planner.plan.repeats, "headers would take too much")
        walk.pass(.seconds(10), .kilobits(1100), loss: 0.02, runLength: 6)
        #expect(walk.encode == .thinOpus && walk.planner.plan.reach == 3)
        walk.pass(.seconds(30), .megabits(8), runLength: 6)
        #expect(walk.planner.plan.repeats == 0 && walk.planner.plan.reach == 0)
    }

    @Test("loss is told in few steps, each at least what is lost")
    func lossSteps() {
        var walk = Walk()
        var told: Set<Double> = []
        for hundredth in 0...100 {
            walk = Walk()
            walk.pass(.milliseconds(50), .megabits(5), loss: Double(hundredth) / 100)
            let share = walk.planner.plan.lossShare
            #expect(hundredth > 30 || share >= Double(hundredth) / 100)
            told.insert(share)
        }
        #expect(told.count <= 7)
        walk.pass(.milliseconds(50), .megabits(5), report: .infinity)
        walk.pass(.milliseconds(50), .megabits(5), report: -3)
        #expect(walk.planner.plan.lossShare == 0.3)
    }

    @Test("what is repeated leaves the picture most of the path; where it can't, packets are longer", arguments: 1...40)
    func affordable(hundreds: Int) {
        var walk = Walk()
        let estimate = Bitrate.kilobits(hundreds * 100)
        walk.pass(.seconds(20), estimate, loss: 0.1)
        let plan = walk.planner.plan
        let headers = 44 * 8 / plan.encode.packetDuration.inSeconds
        let rate = Double(plan.encode.bitrate * (1 + plan.repeats)) + headers
        #expect(plan.repeats == 0 || rate <= Double(estimate.bitsPerSecond) * 0.4)
        #expect(plan.encode == (hundreds < 12 ? .thinOpus : .opus))
        #expect(hundreds < 5 || plan.repeats == 2, "\(plan.repeats)")
    }

    @Test("who takes one codec alone is sent that one, whatever the path is like")
    func oneCodec() {
        for estimate in [Bitrate.kilobits(200), .megabits(1), .megabits(50)] {
            var walk = Walk([.pcm])
            walk.pass(.seconds(10), estimate, loss: 0.1)
            #expect(walk.encode == .pcm && walk.planner.plan.repeats == 0)
            walk = Walk([.opus])
            walk.pass(.seconds(10), estimate)
            #expect(walk.encode.codec == .opus)
        }
    }

    @Test("the rate of sound is told in steps, leaves the picture half at least, and is none again after silence")
    func rate() {
        var rate = SoundRate()
        var now = Instant.zero
        for _ in 0..<200 {
            rate.note(150, now: now)
            now = now + .milliseconds(5)
        }
        #expect((240_000...272_000).contains(rate.current.bitsPerSecond), "\(rate.current)")
        #expect(rate.rest(of: .megabits(1)).bitsPerSecond == 1_000_000 - rate.current.bitsPerSecond)
        #expect(rate.rest(of: .kilobits(200)) == .kilobits(100))
        rate.update(now + .seconds(1))
        rate.update(now + .seconds(2))
        #expect(rate.current == Bitrate(bitsPerSecond: 0))
    }

    @Test("a path that has carried far more is believed to be narrow after two seconds, any other at once")
    func dip() {
        var walk = Walk([.opus])
        walk.pass(.seconds(5), .megabits(10))
        for _ in 0..<5 {
            walk.pass(.milliseconds(1500), .kilobits(500), proven: .megabits(10))
            walk.pass(.milliseconds(500), .megabits(10))
        }
        #expect(walk.changes.isEmpty)
        walk.pass(.milliseconds(2100), .kilobits(500), proven: .megabits(10))
        #expect(walk.encode == .thinOpus)
        walk = Walk([.opus])
        walk.pass(.milliseconds(50), .kilobits(500))
        #expect(walk.encode == .thinOpus)
    }
}
