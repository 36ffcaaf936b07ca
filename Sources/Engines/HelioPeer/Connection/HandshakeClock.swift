import HelioCore

/// The clock for the DTLS handshake, which stops while no path works.
///
/// A DTLS timeout is final, whereas ICE can be restarted. So the handshake does not time out while ICE has no working
/// path, and resumes once a path works again.
struct HandshakeClock {
    /// The total duration of all past stops.
    private var stood = Duration.zero
    private var standsSince: Instant?

    /// Makes a stopped clock.
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

    /// The time on this clock at `now`: the real time minus the duration of all stops.
    func time(at now: Instant) -> Instant { (standsSince ?? now) - stood }

    /// The instant at which the clock will reach the deadline's time; `nil` while the clock is stopped.
    func real(_ deadline: Deadline?) -> Deadline? {
        guard let deadline, standsSince == nil else { return nil }
        return Deadline(at: deadline.at + stood, why: deadline.why)
    }
}
