package import HelioAdmission
package import HelioCore
internal import HelioLoop
private import Synchronization

/// Limits the rates at which unauthenticated clients connect, and begin TLS handshakes and WebSockets, for each address
/// (or IPv6 /64) and for all together. A TLS handshake costs milliseconds of CPU time. All ports of a host share one
/// limit.
package final class StrangerLimit: AcceptLimiting {
    private struct State {
        var arrivals: ArrivalBudget
        var begun: GuessLimiter
    }

    private let state: Mutex<State>

    package convenience init() {
        self.init(
            arrivals: ArrivalBudget(),
            begun: GuessLimiter(burst: 32, refill: 8, overallBurst: 96, overallRefill: 24))
    }

    /// - Parameters:
    ///   - arrivals: the budget of new connections.
    ///   - begun: the rate limit of TLS handshakes and WebSockets.
    package init(arrivals: ArrivalBudget, begun: GuessLimiter) {
        state = Mutex(State(arrivals: arrivals, begun: begun))
    }

    package func mayArrive(_ address: IPAddress?, now: Instant) -> Bool {
        state.withLock { $0.arrivals.take(address, now: now) }
    }

    package func resumes(now: Instant) -> Instant? { state.withLock { $0.arrivals.resumes(now: now) } }

    /// Returns true if one more handshake or WebSocket may begin, and counts it.
    ///
    /// - Parameter address: the client's IP address.
    package func mayBegin(_ address: String, now: Instant) -> Bool {
        state.withLock { $0.begun.take(address, now: now) }
    }
}
