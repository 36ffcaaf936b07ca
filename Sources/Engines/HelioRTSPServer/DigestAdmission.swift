import HelioAdmission
import HelioCore
import HelioProtection
import HelioRTSP

/// The admission of one connection to an RTSP server, by digest authentication with limited attempts.
///
/// Passwords may be short, so the server's `GuessLimiter` limits the attempts of each address. While no attempt is
/// left, requests with credentials from that address are delayed, even those with the right password. Other addresses,
/// and connections that have been admitted, are not affected.
struct DigestAdmission: Sendable {
    enum Verdict: Sendable {
        case admitted
        /// The request is refused with this response. `reason` is for the user who runs the server; `nil` unless wrong
        /// credentials were sent.
        case refused(RTSPStatus, RTSPHeaders, reason: String?, closes: Bool)
        /// The request is stored until ``due(now:)`` returns it. Bytes after it are not parsed until then.
        case later
    }

    /// The attempts of an address: 5 at once, then one every 5 s.
    static let guesses = GuessLimiter(burst: 5, refill: 0.2)

    /// The number of wrong passwords after which the connection is closed. It is below the number of attempts of an
    /// address, so that the user can still log in after a program has repeated a wrong password until its connection
    /// was closed.
    private static let triesTolerated = 3

    /// The maximum number of requests on a connection before it is admitted; players need only a few.
    private static let requestsTolerated = 32

    /// The maximum number of unparsed bytes after a waiting request.
    static let mostWaiting = 64 << 10

    private var gate: DigestCheck
    private var failedTries = 0
    private var requests = 0
    private var hasAdmitted = false
    private var waiting: (request: RTSPRequest, until: Instant)?

    init(_ credentials: ServerCredentials) { gate = DigestCheck(credentials) }

    /// Counts a request. Returns false if the connection has sent too many without being admitted.
    mutating func takes() -> Bool {
        requests += 1
        return hasAdmitted || requests <= Self.requestsTolerated
    }

    /// True while a request is stored, so that the bytes after it must not be parsed.
    var isWaiting: Bool { waiting != nil }

    var deadline: Deadline? { waiting.map { Deadline(at: $0.until, why: "no try in hand") } }

    /// Returns the stored request once an attempt is available; `nil` before.
    mutating func due(now: Instant) -> RTSPRequest? {
        guard let waiting, now >= waiting.until else { return nil }
        self.waiting = nil
        return waiting.request
    }

    /// Checks a request's credentials.
    ///
    /// - Parameters:
    ///   - isOwn: returns true if a URI names a resource of this server.
    ///   - count: called with the reason of a refusal, for statistics.
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
            // Do not count a replayed response as a guess, as its credentials were once correct.
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
