package import HelioAdmission
package import HelioCore
private import Synchronization

/// Limits what strangers may have begun, by one address (or /64 of IPv6) and by all together: TLS handshakes, which take
/// milliseconds of a thread each, and WebSockets. One limit is for all ports of a host.
package final class HandshakeLimit: Sendable {
    private let limiter: Mutex<GuessLimiter>

    package convenience init() {
        self.init(GuessLimiter(burst: 32, refill: 8, overallBurst: 96, overallRefill: 24))
    }

    package init(_ limiter: GuessLimiter) { self.limiter = Mutex(limiter) }

    /// Returns true where one more may begin, and counts it.
    ///
    /// - Parameter address: the stranger's IP address.
    package func mayBegin(_ address: String, now: Instant) -> Bool { limiter.withLock { $0.take(address, now: now) } }
}
