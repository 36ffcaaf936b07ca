import HelioCore
import HelioMedia

/// Tracks whether the user at one browser hears the host's sound.
struct WebSound: Sendable {
    private var isEnabled = true
    /// The viewer's playback volume, 0 ... 1.
    private var volume = 1.0
    private var linger = SoundLinger()

    /// True while packets are sent: at volume 0 they are not.
    var isHeard: Bool { linger.isOn }
    /// True while sound is to be produced for the viewer.
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
