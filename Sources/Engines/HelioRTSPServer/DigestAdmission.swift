import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTSP

/// Admission to one connection of an RTSP server of ours: by digest, and without many guesses.
///
/// A password may be short enough to be guessed, so an address has few tries left, its owner's `GuessLimiter`, and
/// whoever comes from there waits until one is back: with the right password too, but it is let in then. An address's
/// tries cost no other address anything. A connection that was let in once is not kept out again.
struct DigestAdmission: Sendable {
    /// The handling of a request.
    enum Verdict: Sendable {
        case admitted
        /// Refuse it with this answer. `reason`: for the person who runs this, where it was no ordinary first try.
        case refused(RTSPStatus, RTSPHeaders, reason: String?, closes: Bool)
        /// Keep it until ``due(now:)`` gives it back; what comes behind it waits too.
        case later
    }

    /// The tries of an address: five at once, then one each five seconds.
    static let guesses = GuessLimiter(burst: 5, refill: 0.2)

    /// The failed tries at which the connection is closed. Fewer than an address has: programs try a wrong password
    /// again by themselves until they are cut off, and whoever then starts them with the right one is let in.
    private static let triesTolerated = 3

    /// The most requests of a connection before it is let in; a player needs a handful.
    private static let requestsTolerated = 32

    /// The most bytes that may come behind a request that waits.
    static let mostWaiting = 64 << 10

    private var gate: DigestCheck
    private var failedTries = 0
    private var requests = 0
    private var hasAdmitted = false
    private var waiting: (request: RTSPRequest, until: Instant)?

    init(_ credentials: ServerCredentials) { gate = DigestCheck(credentials) }

    /// Counts a request, of whatever method; false where a connection that was not let in has asked too much.
    mutating func takes() -> Bool {
        requests += 1
        return hasAdmitted || requests <= Self.requestsTolerated
    }

    /// True where a request is kept, and what came behind it has to wait.
    var isWaiting: Bool { waiting != nil }

    var deadline: Deadline? { waiting.map { Deadline(at: $0.until, why: "no try in hand") } }

    /// Takes the request that was kept, once it is to be judged.
    mutating func due(now: Instant) -> RTSPRequest? {
        guard let waiting, now >= waiting.until else { return nil }
        self.waiting = nil
        return waiting.request
    }

    /// Judges a request's credentials.
    ///
    /// - Parameters:
    ///   - isOwn: whether a URI names a resource of this server.
    ///   - count: called with what was wrong, for statistics.
    mutating func judge(
        _ request: RTSPRequest, from address: String, isOwn: (_ uri: String) -> Bool, guesses: inout GuessLimiter,
        random: inout any RandomNumberGenerator & Sendable, crypto: any CryptoProvider, now: Instant,
        count: (DigestCheck.Refusal) -> Void
    ) -> Verdict {
        if !hasAdmitted, request.headers["Authorization"] != nil, let until = guesses.returns(address, now: now) {
            waiting = (request, until)
            return .later
        }
        var isStale = false
        var reason: String?
        switch gate.judge(request, isOwn: isOwn, crypto: crypto, now: now) {
        case .admitted:
            hasAdmitted = true
            return .admitted
        case .asks(let stale): isStale = stale
        case .refused(let refusal):
            count(refusal)
            isStale = refusal == .replayed
            // A repeated answer was right once: it is no guess.
            if refusal != .replayed {
                failedTries += 1
                _ = guesses.take(address, now: now)
                reason = refusal.rawValue
            }
        }
        var headers: RTSPHeaders = [:]
        for value in gate.challenge(isStale: isStale, random: &random, now: now) {
            headers.append("WWW-Authenticate", value)
        }
        return .refused(.unauthorized, headers, reason: reason, closes: failedTries == Self.triesTolerated)
    }
}
