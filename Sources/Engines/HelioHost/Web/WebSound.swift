import HelioCore
import HelioMedia

/// Whether the person at one browser hears the host's sound.
struct WebSound: Sendable {
    private var isEnabled = true
    /// The volume that the viewer hears it at, 0 ... 1.
    private var volume = 1.0
    private var linger = SoundLinger()

    /// True while packets are sent: what is played at no volume is heard by nobody.
    var isHeard: Bool { linger.isOn }
    /// True while sound is to be made for the viewer.
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
