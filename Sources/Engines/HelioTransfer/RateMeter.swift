internal import DequeModule
import HelioCore

/// Measures the mean rate of a growing total over the last 5 seconds.
struct RateMeter {
    private static let span = Duration.seconds(5)
    private static let distance = Duration.milliseconds(250)

    private var samples = Deque<(at: Instant, total: UInt64)>()

    mutating func reset() { samples = [] }

    mutating func note(_ total: UInt64, now: Instant) {
        if let last = samples.last, total < last.total { reset() }
        if let last = samples.last, now - last.at < Self.distance { return }
        samples.append((now, total))
        // Keep the last sample from before the span, as the measurement starts at it.
        while samples.count > 2, now - samples[1].at >= Self.span { samples.removeFirst() }
    }

    /// The rate in units per second; 0 with fewer than two samples.
    var rate: Double {
        guard let first = samples.first, let last = samples.last, last.at > first.at else { return 0 }
        return Double(last.total - first.total) / (last.at - first.at).inSeconds
    }
}
