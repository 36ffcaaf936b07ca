import HelioCore

/// Keeps a viewer from asking for control again and again: the driver is a person.
struct RequestGate {
    private static let spacing = Duration.seconds(2)

    private var opens: Instant?

    /// Returns whether a request may pass now; the next one waits.
    mutating func pass(now: Instant) -> Bool {
        if let opens, now < opens { return false }
        opens = now + Self.spacing
        return true
    }
}
