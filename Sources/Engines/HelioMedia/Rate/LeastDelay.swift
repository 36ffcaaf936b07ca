import HelioCore

/// The least delay of the packets of a window of time: kept in two halves, so that it forgets.
struct LeastDelay: Sendable {
    private let window: Duration
    private var begun: Instant?
    private var before: Duration?
    private var present: Duration?

    init(window: Duration) { self.window = window }

    /// `nil` before the first packet.
    var value: Duration? {
        guard let before, let present else { return before ?? present }
        return min(before, present)
    }

    mutating func note(_ delay: Duration, at time: Instant) {
        if let begun, time - begun < window {
            present = min(present ?? delay, delay)
            return
        }
        // After a pause of more than a window nothing of it counts any more.
        before = begun.map { time - $0 < window * 2 } ?? false ? present : nil
        present = delay
        begun = time
    }
}
