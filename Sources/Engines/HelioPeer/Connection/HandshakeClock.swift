import HelioCore

/// The clock of a handshake: it stands still while no path is known to work.
///
/// DTLS gives up for good after a while, where ICE can be restarted. So it is ICE that has to find out that there is no
/// path, and a handshake goes on where it was when there is one again.
struct HandshakeClock {
    /// The time for which it has stood still until it last began to run.
    private var stood = Duration.zero
    private var standsSince: Instant?

    /// Makes a clock that stands still at first.
    init(now: Instant) {
        standsSince = now
    }

    mutating func run(_ isRunning: Bool, now: Instant) {
        if isRunning, let since = standsSince {
            stood += now - since
            standsSince = nil
        } else if !isRunning, standsSince == nil {
            standsSince = now
        }
    }

    /// The clock's time at `now`.
    func time(at now: Instant) -> Instant { (standsSince ?? now) - stood }

    /// The instant at which the clock will reach the deadline's time; `nil` while it stands.
    func real(_ deadline: Deadline?) -> Deadline? {
        guard let deadline, standsSince == nil else { return nil }
        return Deadline(at: deadline.at + stood, why: deadline.why)
    }
}
