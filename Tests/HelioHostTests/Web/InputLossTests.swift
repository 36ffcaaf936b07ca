import HelioCore
import HelioRemote
import HelioRemoteWire
import HelioSimulation
import Testing

@Suite("Keys over a path that loses packets")
struct InputLossTests {
    private static let trip = Duration.milliseconds(50)
    private static let presses = 1500

    /// Input through ICE, DTLS and SCTP of both ends.
    @Test(
        "each press is done once and in order, and the 99th of 100 no later than the round trip and 30 ms",
        arguments: [0.01, 0.05])
    func numbered(loss: Double) throws {
        let delays = try Self.delays(loss: loss, hasNumbers: true)
        #expect(Self.percentile(99, of: delays) <= Self.trip + .milliseconds(30))
        #expect(Self.percentile(50, of: delays) <= Self.trip / 2 + .milliseconds(1))
        // SCTP alone doesn't meet the limit, so the test is meaningful.
        let reliable = try Self.delays(loss: loss, hasNumbers: false)
        #expect(Self.percentile(99, of: reliable) > Self.trip + .milliseconds(30))
    }

    /// Returns the time from each press to its injection.
    private static func delays(loss: Double, hasNumbers: Bool) throws -> [Duration] {
        let world = try SoundWorld(sound: [])
        world.delay = trip / 2
        world.loss = loss
        var random = SeededGenerator(seed: 21)
        var pressed: [Instant] = []
        var delays: [Duration] = []
        var done: [String] = []
        world.injects = { [unowned world] inputs in
            for case .text(let text) in inputs {
                delays.append(world.now - pressed[done.count])
                done.append(text)
            }
        }
        var acknowledged: UInt64 = 0
        world.hears = { message in
            if case .inputsDone(let next, _) = message { acknowledged = max(acknowledged, next) }
        }
        var sender = PageSender()
        func run(until end: Instant) throws {
            while world.now < end {
                let next = min(sender.deadline ?? end, end)
                if next > world.now { try world.run(for: next - world.now) { acknowledged > 0 } }
                sender.done(next: acknowledged)
                acknowledged = 0
                if let due = sender.deadline, due <= world.now {
                    try world.does(sender.repeated(now: world.now), by: .moves)
                }
            }
        }
        for number in 0..<presses {
            pressed.append(world.now)
            let input = ViewerMessage.text("\(number)")
            if hasNumbers {
                try world.does(sender.send(input, now: world.now), by: .moves)
            } else {
                try world.does(input)
            }
            try run(until: world.now + .milliseconds(Int.random(in: 1...120, using: &random)))
        }
        try run(until: world.now + .seconds(20))
        #expect(sender.isIdle)
        #expect(done == (0..<presses).map { "\($0)" })
        return delays
    }

    private static func percentile(_ percent: Int, of delays: [Duration]) -> Duration {
        let sorted = delays.sorted()
        return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
