import HelioCore

/// Whether the person at one browser hears the host's sound.
///
/// Who stops listening is sent nothing at once; that nobody listens any more is said a moment later, so that no capture
/// begins and ends with each message.
struct WebSound: Sendable {
    /// The time for which sound is made for a viewer that has stopped listening.
    static let linger = Duration.seconds(1)

    private(set) var isEnabled = true
    /// The volume that the viewer hears it at, 0 ... 1.
    private(set) var volume = 1.0
    private var lingering: Instant?

    /// True while packets are sent: what is played at no volume is heard by nobody.
    var isHeard: Bool { isEnabled && volume > 0 }
    /// True while sound is to be made for the viewer.
    var isWanted: Bool { isHeard || lingering != nil }

    mutating func enable(_ isOn: Bool, now: Instant) { change(now) { $0.isEnabled = isOn } }
    mutating func set(volume: Double, now: Instant) { change(now) { $0.volume = volume } }

    private mutating func change(_ now: Instant, _ body: (inout Self) -> Void) {
        let wasHeard = isHeard
        body(&self)
        if isHeard { lingering = nil } else if wasHeard { lingering = now + Self.linger }
    }

    var deadline: Deadline? { lingering.map { Deadline(at: $0, why: "a viewer has stopped listening") } }

    mutating func tick(_ now: Instant) {
        if let lingering, now >= lingering { self.lingering = nil }
    }
}
