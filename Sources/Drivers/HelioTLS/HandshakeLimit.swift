package import HelioAdmission
package import HelioCore
private import Synchronization

/// Limits the rate at which strangers begin TLS handshakes, which take milliseconds of a thread each, and WebSockets,
/// by one address (or /64 of IPv6) and by all together. All ports of a host share one limit.
package final class HandshakeLimit: Sendable {
    private let limiter: Mutex<GuessLimiter>

    package convenience init() {
        self.init(GuessLimiter(burst: 32, refill: 8, overallBurst: 96, overallRefill: 24))
    }

    package init(_ limiter: GuessLimiter) { self.limiter = Mutex(limiter) }

    /// Returns true if one more may begin, and counts it.
    ///
    /// - Parameter address: the stranger's IP address.
    package func mayBegin(_ address: String, now: Instant) -> Bool { limiter.withLock { $0.take(address, now: now) } }
}
