import HelioCore

/// Limits how often a viewer may request control, as each request interrupts the driving user.
struct RequestGate {
    private static let spacing = Duration.seconds(2)

    private var opens: Instant?

    /// Returns whether a request may pass now; if so, further requests have to wait for `spacing`.
    mutating func pass(now: Instant) -> Bool {
        if let opens, now < opens { return false }
        opens = now + Self.spacing
        return true
    }
}
