import HelioCore

/// The minimum delay of the packets of the last one or two windows of time: the minima of two consecutive windows are
/// kept, so that old delays expire.
struct LeastDelay: Sendable {
    private let window: Duration
    private var begun: Instant?
    private var before: Duration?
    private var present: Duration?

    init(window: Duration) { self.window = window }

    /// The minimum delay; `nil` before the first packet.
    var value: Duration? {
        guard let before, let present else { return before ?? present }
        return min(before, present)
    }

    mutating func note(_ delay: Duration, at time: Instant) {
        if let begun, time - begun < window {
            present = min(present ?? delay, delay)
            return
        }
        // After a pause longer than a window, older delays no longer count.
        before = begun.map { time - $0 < window * 2 } ?? false ? present : nil
        present = delay
        begun = time
    }
}
