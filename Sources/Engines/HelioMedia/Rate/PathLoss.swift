internal import DequeModule
package import HelioCore

/// The share of packets that a path loses whatever the sending rate, over the last seconds, and the length of its loss
/// bursts.
///
/// Losses while a queue stands are due to the queue and don't count; neither do losses that are confined to a few
/// spans. Parity would help against neither kind, and its bytes would do harm. A packet that arrives after it was
/// reported lost still counts as lost, as it arrived too late for the receiver.
package struct PathLoss: Sendable {
    private struct Span {
        let begun: Instant
        var packets = 0
        var lost = 0
        /// The number of loss bursts, counted as the lost packets that directly follow a received packet.
        var runs = 0

        var share: Double { packets == 0 ? 0 : Double(lost) / Double(packets) }
    }

    /// The minimum length of a span, in time and in packets: long enough that a steady loss shows in every span.
    private static let length = Duration.milliseconds(500)
    private static let leastPackets = 100
    /// The number of spans remembered, and the number of recent spans that are also evaluated alone, so that a rise
    /// shows soon.
    private static let memory = 20
    private static let recent = 5
    private static let steady = 3
    private static let longestAge = Duration.seconds(30)
    /// The excess over the minimum delay above which a queue counts as standing.
    private static let queue = Duration.milliseconds(20)

    private var spans = Deque<Span>()
    private var lastWasLost = false
    /// The least delays, over a long and a short window; both contain the clocks' unknown offset.
    private var least = LeastDelay(window: .seconds(20))
    private var present = LeastDelay(window: .milliseconds(50))

    package init() {}

    /// True once there are so many spans that no single span determines the result.
    package var isSteady: Bool { spans.count >= Self.steady }

    /// True while a queue stands on the path.
    package var isQueued: Bool {
        guard let least = least.value, let present = present.value else { return false }
        return present - least > Self.queue
    }

    /// Records the next packet, in order of sending.
    ///
    /// - Parameter arrival: the arrival time, on the peer's clock up to an offset; `nil` if the packet was lost.
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

    /// Resets the statistics, as the path is no longer used.
    package mutating func forget() { self = Self() }

    /// The number of packets counted, and the number of those lost.
    package var counts: (packets: Int, lost: Int) {
        spans.reduce(into: (0, 0)) {
            $0.0 += $1.packets
            $0.1 += $1.lost
        }
    }

    /// The share of packets lost, 0...1: an upper estimate, considering the number of packets; 0 without losses.
    package var share: Double { max(Self.share(of: Array(spans)), Self.share(of: spans.suffix(Self.recent))) }

    /// The mean length of loss bursts, in packets; at least the mean length that losses by chance alone would have.
    package var runLength: Double {
        let lost = spans.reduce(0) { $0 + $1.lost }
        let runs = spans.reduce(0) { $0 + $1.runs }
        let byChance = 1 / max(0.05, 1 - share)
        return runs >= 5 ? max(byChance, Double(lost) / Double(runs)) : byChance
    }

    /// The share of packets lost in the middle half of the spans, sorted by their loss, plus one standard deviation.
    /// With fewer than `steady` spans, all spans count.
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
