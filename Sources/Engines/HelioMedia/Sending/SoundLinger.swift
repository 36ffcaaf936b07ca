package import HelioCore

/// The production of sound for a listener, which continues for a moment after the listener has turned sound off.
///
/// A listener that has turned sound off is sent no more packets, but its capture is stopped only `length` later, so
/// that repeated toggling does not start and stop the capture each time.
package struct SoundLinger: Sendable {
    /// The time for which sound is still produced for a listener that has turned it off.
    package static let length = Duration.seconds(1)

    /// True while sound is on, so that the listener is sent packets.
    package private(set) var isOn = true
    /// The time until which sound is still produced after it was turned off; `nil` otherwise.
    private var until: Instant?

    package init() {}

    /// True while sound is to be produced for the listener.
    package var isWanted: Bool { isOn || until != nil }

    /// Turns sound on or off. Setting the present state has no effect, and does not extend the time.
    ///
    /// - Parameter lingers: false if no capture runs for this listener, so that turning off does not start one.
    /// - Returns: true if the state changed.
    @discardableResult
    package mutating func turn(on isOn: Bool, lingers: Bool = true, now: Instant) -> Bool {
        guard isOn != self.isOn else { return false }
        self.isOn = isOn
        until = isOn || !lingers ? nil : now + Self.length
        return true
    }

    package var deadline: Deadline? { until.map { Deadline(at: $0, why: "a listener has turned sound off") } }

    /// - Returns: true if the production ends now.
    @discardableResult
    package mutating func tick(now: Instant) -> Bool {
        guard let until, now >= until else { return false }
        self.until = nil
        return true
    }
}
