internal import DequeModule
import HelioCore

/// Measures the rate at which data arrives at the peer, over a sliding window of arrival times.
struct AcknowledgedRate: Sendable {
    private let window: Duration
    private let leastSpan: Duration
    private var arrivals = Deque<(at: Instant, bytes: Int)>()
    private var bytes = 0
    private var newest: Instant?

    /// - Parameter window: the longest span of arrivals that counts; a rate needs arrivals over at least a quarter of
    ///   it.
    init(window: Duration) {
        self.window = window
        leastSpan = window / 4
    }

    /// Records that a packet of `size` bytes has arrived, and forgets arrivals older than the window. Ignores an arrival
    /// that is older than the window already.
    mutating func note(_ size: Int, at arrival: Instant) {
        let newest = max(newest ?? arrival, arrival)
        self.newest = newest
        guard newest - arrival <= window else { return }
        arrivals.append((arrival, size))
        bytes += size
        forget()
    }

    private mutating func forget() {
        guard let newest else { return }
        while let oldest = arrivals.first, newest - oldest.at > window {
            bytes -= oldest.bytes
            arrivals.removeFirst()
        }
    }

    /// The rate up to the newest arrival; `nil` while the window spans too little time.
    var rate: Bitrate? {
        guard let newest, let oldest = arrivals.first else { return nil }
        let span = newest - oldest.at
        // The first packet only begins the span: its bytes arrived before the span.
        guard span >= leastSpan else { return nil }
        return Bitrate(bitsPerSecond: Int(Double(bytes - oldest.bytes) * 8 / span.inSeconds))
    }
}
