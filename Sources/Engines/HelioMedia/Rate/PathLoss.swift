internal import DequeModule
package import HelioCore

/// The share of packets that a path loses whatever is sent, as far as the last seconds tell, and whether it loses them
/// one by one or in a row.
///
/// What is lost while a queue stands is lost to that, and so is what is lost in a few moments only: no parity would help
/// there, and what it adds would do harm. One that came late, after it was told lost, stays lost here: who waits for it
/// is not helped.
package struct PathLoss: Sendable {
    private struct Span {
        let begun: Instant
        var packets = 0
        var lost = 0
        /// Losses that followed on a packet that came.
        var runs = 0

        var share: Double { packets == 0 ? 0 : Double(lost) / Double(packets) }
    }

    /// The least length of a span, in time and packets, so that a loss that goes on shows in each.
    private static let length = Duration.milliseconds(500)
    private static let leastPackets = 100
    /// The spans that are remembered, and those of them in which a rise shows.
    private static let memory = 20
    private static let recent = 5
    private static let steady = 3
    private static let longestAge = Duration.seconds(30)
    /// The delay above the least one from which on a queue stands.
    private static let queue = Duration.milliseconds(20)

    private var spans = Deque<Span>()
    private var lastWasLost = false
    /// The least delay lately, and just now, both with an offset that nobody knows.
    private var least = LeastDelay(window: .seconds(20))
    private var present = LeastDelay(window: .milliseconds(50))

    package init() {}

    /// True once there are so many spans that one of them alone decides on nothing.
    package var isSteady: Bool { spans.count >= Self.steady }

    /// True while a queue stands on the path.
    package var isQueued: Bool {
        guard let least = least.value, let present = present.value else { return false }
        return present - least > Self.queue
    }

    /// Notes the next packet, in order of sending.
    ///
    /// - Parameter arrival: the time at which it came, on a clock that is the peer's but for its offset; `nil` where it
    ///   was lost.
    package mutating func note(sent: Instant, arrival: Instant?, now: Instant) {
        if let arrival {
            least.note(arrival - sent, at: arrival)
            present.note(arrival - sent, at: arrival)
        }
        let isLost = arrival == nil
        defer { lastWasLost = isLost }
        guard !isQueued else { return }
        if spans.last.map({ now - $0.begun >= Self.length && $0.packets >= Self.leastPackets }) ?? true {
            spans.append(Span(begun: now))
            while let first = spans.first, now - first.begun > Self.longestAge || spans.count > Self.memory {
                spans.removeFirst()
            }
        }
        let last = spans.count - 1
        spans[last].packets += 1
        guard isLost else { return }
        spans[last].lost += 1
        if !lastWasLost { spans[last].runs += 1 }
    }

    /// Forgets a path that is no longer used.
    package mutating func forget() { self = Self() }

    /// The packets that count, and those of them that were lost.
    package var counts: (packets: Int, lost: Int) {
        spans.reduce(into: (0, 0)) {
            $0.0 += $1.packets
            $0.1 += $1.lost
        }
    }

    /// The share that is lost, 0...1: what it may well be, by so many packets; 0 where that is none.
    package var share: Double { max(Self.share(of: Array(spans)), Self.share(of: spans.suffix(Self.recent))) }

    /// The packets that are lost in a row, on average; at least those that chance puts beside each other.
    package var runLength: Double {
        let lost = spans.reduce(0) { $0 + $1.lost }
        let runs = spans.reduce(0) { $0 + $1.runs }
        let byChance = 1 / max(0.05, 1 - share)
        return runs >= 5 ? max(byChance, Double(lost) / Double(runs)) : byChance
    }

    /// The share in the middle half of the spans, and its deviation on top.
    private static func share(of spans: some Collection<Span>) -> Double {
        let sorted = spans.sorted { $0.share < $1.share }
        let left = sorted.count < steady ? 0 : max(1, sorted.count / 4)
        var packets = 0
        var lost = 0
        for span in sorted[left..<sorted.count - left] {
            packets += span.packets
            lost += span.lost
        }
        guard packets > 0 else { return 0 }
        let share = Double(lost) / Double(packets)
        return min(1, share + (share * (1 - share) / Double(packets)).squareRoot())
    }
}
