import HelioCore
import Testing

@testable import HelioSession

@Suite("Files make way for pictures")
struct FilePaceTests {
    /// Grants all that may go for a time; the round trip follows the bytes of the last 100 ms, on a path of so many bytes a
    /// second whose queue is the rest of it.
    private static func run(
        _ allowance: inout FileAllowance, from start: Instant, _ time: Duration, path: Double,
        queue: inout Double
    ) -> (bytes: Int, longest: Duration) {
        var now = start
        var (bytes, longest) = (0, Duration.zero)
        while now - start < time {
            queue = max(0, queue - path * 0.001)
            let roundTrip = Duration.milliseconds(20) + .seconds(queue / path)
            longest = max(longest, roundTrip)
            while let granted = allowance.grant(room: 32 << 10, roundTrip: roundTrip, now: now) {
                bytes += granted
                queue += Double(granted)
                allowance.use(granted)
            }
            now = now + .milliseconds(1)
        }
        return (bytes, longest)
    }

    @Test("a fast path is used, and a slow one is not filled", arguments: [50e6, 1.25e6, 125e3])
    func path(_ path: Double) {
        var allowance = FileAllowance(now: .zero)
        var queue = 0.0
        _ = Self.run(&allowance, from: .zero, .seconds(20), path: path, queue: &queue)
        let (bytes, longest) = Self.run(
            &allowance, from: .zero + .seconds(20), .seconds(20), path: path, queue: &queue)
        #expect(Double(bytes) > 0.4 * 20 * path, "\(bytes) of \(20 * path)")
        // One grant takes its time on a slow path.
        let one = Duration.seconds(Double(32 << 10) / path)
        #expect(longest < .milliseconds(20) + max(.milliseconds(40), one * 2), "\(longest)")
    }

    @Test("without a known round trip it goes slowly, and no more is outstanding than the window")
    func unknown() {
        var allowance = FileAllowance(now: .zero)
        #expect(allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero) == 32 << 10)
        #expect(allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(1)) == nil)
        allowance.use(32 << 10)
        #expect(allowance.grant(room: 1000, roundTrip: nil, now: .zero + .seconds(1)) == nil, "the channel is full")
        #expect(allowance.deadline == nil, "the channel says when it has room")
        let second = allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(1))
        #expect(second.map { (1...16 << 10).contains($0) } == true, "no more at once than the rate has in a moment")
        #expect(allowance.grant(room: 1 << 20, roundTrip: nil, now: .zero + .seconds(1)) == nil)
        #expect(allowance.deadline.map { $0.at > .zero + .seconds(1) } == true)
    }
}
