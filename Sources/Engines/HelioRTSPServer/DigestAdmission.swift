import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTSP

/// The admission of one connection to an RTSP server of ours: by digest, and with few guesses.
///
/// A password may be short enough to be guessed, so an address has few tries, counted by the server's `GuessLimiter`.
/// Without a try left, a request from the address waits until one is back, with the right password too, which is
/// admitted then. An address's tries cost other addresses nothing. A connection that was admitted once needs no more
/// tries.
struct DigestAdmission: Sendable {
    enum Verdict: Sendable {
        case admitted
        /// The request is refused with this answer. `reason` is for the user who runs the server; `nil` unless wrong
        /// credentials were sent.
        case refused(RTSPStatus, RTSPHeaders, reason: String?, closes: Bool)
        /// The request is kept until ``due(now:)`` returns it, and the bytes after it are not parsed until then.
        case later
    }

    /// The tries of an address: five at once, then one every five seconds.
    static let guesses = GuessLimiter(burst: 5, refill: 0.2)

    /// The wrong passwords after which the connection is closed: fewer than the tries of an address, so that after a
    /// program has repeated a wrong password until it was disconnected, its user can still log in with the right one.
    private static let triesTolerated = 3

    /// The most requests of a connection before it is admitted; a player needs a handful.
    private static let requestsTolerated = 32

    /// The most bytes that may follow a request that waits.
    static let mostWaiting = 64 << 10

    private var gate: DigestCheck
    private var failedTries = 0
    private var requests = 0
    private var hasAdmitted = false
    private var waiting: (request: RTSPRequest, until: Instant)?

    init(_ credentials: ServerCredentials) { gate = DigestCheck(credentials) }

    /// Counts a request of any method; returns false if a connection has sent too many without being admitted.
    mutating func takes() -> Bool {
        requests += 1
        return hasAdmitted || requests <= Self.requestsTolerated
    }

    /// True while a request is kept, and the bytes after it have to wait.
    var isWaiting: Bool { waiting != nil }

    var deadline: Deadline? { waiting.map { Deadline(at: $0.until, why: "no try in hand") } }

    /// Returns the kept request once it can be judged.
    mutating func due(now: Instant) -> RTSPRequest? {
        guard let waiting, now >= waiting.until else { return nil }
        self.waiting = nil
        return waiting.request
    }

    /// Judges a request's credentials.
    ///
    /// - Parameters:
    ///   - isOwn: whether a URI names a resource of this server.
    ///   - count: called with the refusal, for statistics.
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
            // A replayed answer was right once, so it is no guess.
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
