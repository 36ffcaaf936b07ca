import HelioCore

/// Limits how often a viewer may ask for control, as the driver is a person.
struct RequestGate {
    private static let spacing = Duration.seconds(2)

    private var opens: Instant?

    /// Returns whether a request may pass now; if so, the next one has to wait.
    mutating func pass(now: Instant) -> Bool {
        if let opens, now < opens { return false }
        opens = now + Self.spacing
        return true
    }
}
