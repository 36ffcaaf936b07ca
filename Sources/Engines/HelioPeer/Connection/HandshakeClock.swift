import HelioCore

/// The clock of a DTLS handshake, which stops while no path is known to work.
///
/// DTLS times out for good, whereas ICE can be restarted. So ICE alone decides that there is no path, and the handshake
/// resumes where it stopped once there is one again.
struct HandshakeClock {
    /// The total time for which the clock has been stopped, without the present stop.
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

    /// The clock's time at `now`.
    func time(at now: Instant) -> Instant { (standsSince ?? now) - stood }

    /// The instant at which the clock will reach the deadline's time; `nil` while the clock is stopped.
    func real(_ deadline: Deadline?) -> Deadline? {
        guard let deadline, standsSince == nil else { return nil }
        return Deadline(at: deadline.at + stood, why: deadline.why)
    }
}
