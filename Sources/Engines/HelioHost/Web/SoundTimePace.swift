import HelioCore
import HelioRTP

/// Decides when a page that keeps picture and sound in step is sent a time of the sound: at the first packet of each
/// track, and when the sound's own clock has drifted from the capture clock since the last, at most once a second.
struct SoundTimePace {
    private static let interval = Duration.seconds(1)
    private static let drift = Duration.milliseconds(1)

    private var isWanted = false
    /// The media time minus the capture time, in sample frames, that the page knows, and when it was sent.
    private var known: (offset: Int64, at: Instant)?

    /// Begins anew, because tracks were negotiated.
    mutating func restart(isInStep: Bool) {
        isWanted = isInStep
        known = nil
    }

    /// Returns true if the time of a packet is to be sent, which counts as sent from then on.
    mutating func isDue(mediaTime: Int64, captured: Instant, now: Instant) -> Bool {
        guard isWanted else { return false }
        let offset = mediaTime &- MediaClock.soundTime(captured)
        if let known {
            let most = Int64(Self.drift.nanoseconds) * 48 / 1_000_000
            guard now >= known.at + Self.interval, abs(offset &- known.offset) > most else { return false }
        }
        known = (offset, now)
        return true
    }
}
