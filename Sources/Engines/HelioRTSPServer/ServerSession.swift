import HelioCore
import HelioRTSP

/// The common part of `PlaySession` and `RecordSession`: requests are handled one at a time, with digest
/// authentication, and the same error responses and limits.
protocol ServerSession: AnyObject {
    associatedtype Event: ServerEvent

    static var rules: ServerRules { get }
    var connection: ServerConnection<Event> { get }
    var server: ServerState { get }
    var hasEnded: Bool { get }
    /// True if the client has not set up or announced a stream, so that it may be evicted in favour of a new
    /// connection.
    var isStranger: Bool { get }
    /// True while a request is stored to be answered later.
    var keepsRequest: Bool { get }
    var deadline: Deadline? { get }

    func tick(now: Instant)
    /// Handles a request with one of the methods in `rules`, after authentication.
    func serve(_ request: RTSPRequest, now: Instant)
    /// Handles an interleaved packet.
    func handle(_ packet: [UInt8], channel: UInt8, now: Instant)
    /// Counts a response that matches no request.
    func countStrayResponse()
    /// Sends or reports the pending outputs of the media.
    func flush(now: Instant)
    /// Ends the session. A reason is reported to the user who runs the server if the client has been playing or
    /// recording.
    ///
    /// - Parameter closes: true if the connection is still open, and has to be closed.
    func end(_ reason: String?, closes: Bool, now: Instant)
}

/// An event that both servers report to the user who runs them.
protocol ServerEvent {
    static func refused(address: String, reason: String) -> Self
}

extension ServerSession {
    private var isWaiting: Bool { keepsRequest || connection.admission?.isWaiting == true }

    func handle(_ bytes: [UInt8], now: Instant) {
        connection.append(bytes)
        proceed(now: now)
    }

    /// Handles the received messages, up to a request that has to be answered later.
    func proceed(now: Instant) {
        do throws(RTSPParseError) {
            while !hasEnded, !isWaiting, let message = try connection.next() {
                switch message {
                case .request(let request): handle(request, now: now)
                case .interleaved(let channel, let packet): handle(packet, channel: channel, now: now)
                case .response: countStrayResponse()
                }
            }
        } catch {
            let status: RTSPStatus =
                switch error {
                case .unsupportedVersion: .versionNotSupported
                case .bodyTooLarge: Self.rules.bodyTooLarge
                default: .badRequest
                }
            connection.respond(status, to: nil)
            return end("broke the protocol: \(error)", closes: true, now: now)
        }
        if isWaiting, connection.unread > Self.rules.mostWaiting {
            end("sent too much at once", closes: true, now: now)
        }
    }

    /// Serves the request that waits for an authentication attempt of its address, if one is available.
    func resume(now: Instant) {
        guard let request = connection.admission?.due(now: now) else { return }
        serve(request, now: now)
        proceed(now: now)
    }

    private func handle(_ request: RTSPRequest, now: Instant) {
        connection.lastHeard = now
        guard connection.admission?.takes() ?? true else {
            server.drops.count(.tooManyRequests)
            return end(nil, closes: true, now: now)
        }
        guard request.headers.sequence != nil else { return connection.respond(.badRequest, to: request) }
        let rules = Self.rules
        if request.method == .options {
            return connection.respond(.ok, to: request, ["Public": rules.methodList])
        }
        guard rules.methods.contains(request.method) else {
            let isKnown = rules.refusedMethods.contains(request.method)
            return connection.respond(
                isKnown ? .methodNotAllowed : .notImplemented, to: request, ["Allow": rules.methodList])
        }
        serve(request, now: now)
    }

    /// Returns true if a request has valid credentials, or none are required. Otherwise answers the request, or stores
    /// it to be answered later.
    ///
    /// - Parameter isOwn: returns true if a URI names a resource of this server.
    func isAdmitted(_ request: RTSPRequest, now: Instant, isOwn: (_ uri: String) -> Bool) -> Bool {
        let verdict = connection.admission?.judge(
            request, from: connection.address, isOwn: isOwn, guesses: &server.guesses, random: &server.random,
            crypto: server.crypto, now: now, count: { server.refusals.count($0) })
        if case .later = verdict { return false }
        guard case .refused(let status, let headers, let reason, let closes) = verdict else { return true }
        connection.respond(status, to: request, headers)
        if let reason { connection.emit(.refused(address: connection.address, reason: reason)) }
        if closes { end(nil, closes: true, now: now) }
        return false
    }

    /// Returns true if a request has no `Require` header (RFC 2326 section 12.32). Otherwise answers it, as no features
    /// are supported.
    func isSupported(_ request: RTSPRequest) -> Bool {
        guard let feature = request.headers["Require"] ?? request.headers["Proxy-Require"] else { return true }
        connection.respond(.optionNotSupported, to: request, ["Unsupported": feature])
        return false
    }
}
