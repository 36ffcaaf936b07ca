import HelioCore
import HelioMedia

/// Tracks whether a browser's user has the host's sound turned on, and its volume.
struct WebSound: Sendable {
    private var isEnabled = true
    /// The viewer's playback volume, 0 ... 1.
    private var volume = 1.0
    private var linger = SoundLinger()

    /// True while sound packets are sent to the viewer: sound is on, and its volume is not 0.
    var isHeard: Bool { linger.isOn }
    /// True while sound is to be captured and encoded for the viewer, which continues for a moment after it was turned
    /// off.
    var isWanted: Bool { linger.isWanted }

    mutating func enable(_ isOn: Bool, now: Instant) {
        isEnabled = isOn
        linger.turn(on: isEnabled && volume > 0, now: now)
    }

    mutating func set(volume: Double, now: Instant) {
        self.volume = volume
        linger.turn(on: isEnabled && volume > 0, now: now)
    }

    var deadline: Deadline? { linger.deadline }

    mutating func tick(_ now: Instant) { linger.tick(now: now) }
}
