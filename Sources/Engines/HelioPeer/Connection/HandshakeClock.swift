import HelioCore

/// The time of a handshake: it stands still while no path is known to work.
///
/// DTLS gives up for good after a while, where ICE can be restarted. So ICE has to be the one who finds out that there is
/// no path, and a handshake goes on where it was when there is one again.
struct HandshakeClock {
    /// How long it has stood still until it last began to run.
    private var stood = Duration.zero
    private var standsSince: Instant?

    /// It stands still at first.
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

    /// What it shows.
    func time(at now: Instant) -> Instant { (standsSince ?? now) - stood }

    /// When it will show the deadline's time; `nil` while it stands.
    func real(_ deadline: Deadline?) -> Deadline? {
        guard let deadline, standsSince == nil else { return nil }
        return Deadline(at: deadline.at + stood, why: deadline.why)
    }
}
