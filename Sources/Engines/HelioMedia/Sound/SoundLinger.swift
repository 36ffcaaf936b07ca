package import HelioCore

/// Whether sound is made for a listener: while it is on, and for a moment after it was turned off.
///
/// Who turns it off is sent nothing at once; that nobody listens any more is said a moment later, so that no capture
/// begins and ends with each message.
package struct SoundLinger: Sendable {
    /// The time for which sound is made for a listener that has turned it off.
    package static let length = Duration.seconds(1)

    /// True while packets are sent.
    package private(set) var isOn = true
    /// Until when it is wanted though it is off.
    private var until: Instant?

    package init() {}

    /// True while sound is to be made for the listener.
    package var isWanted: Bool { isOn || until != nil }

    /// Turns it on or off; where it is so already, nothing changes, and no more time is given.
    ///
    /// - Parameter lingers: false where no capture runs for this listener, so that none begins for its leaving.
    /// - Returns: true where something changed.
    @discardableResult
    package mutating func turn(on isOn: Bool, lingers: Bool = true, now: Instant) -> Bool {
        guard isOn != self.isOn else { return false }
        self.isOn = isOn
        until = isOn || !lingers ? nil : now + Self.length
        return true
    }

    package var deadline: Deadline? { until.map { Deadline(at: $0, why: "a listener has turned sound off") } }

    package mutating func tick(now: Instant) {
        if let until, now >= until { self.until = nil }
    }
}
