package import HelioCore

/// The HTTP requests to a WHIP server for one session (RFC 9725): POST with the offer, following redirections, and
/// DELETE at the end.
///
/// Requests are sent only to the server that the user named. Its responses may name other paths on it, but no other
/// server.
///
/// The offer contains all candidates, so no requests are needed between POST and DELETE. One request is pending at a
/// time, until it is answered, fails or times out.
package struct WHIPExchange: Engine {
    package enum Input: Sendable {
        /// Sends the offer. Only the first offer has an effect.
        case offer(String)
        /// The response to the pending request.
        case response(WHIPResponse)
        /// The pending request has failed.
        case broken(WHIPBreak)
        /// Ends the session, if there is one.
        case end
    }

    package enum Output: Sendable, Hashable {
        /// Sends a request; ``Input/response(_:)`` or ``Input/broken(_:)`` follows.
        case send(WHIPRequest)
        /// Cancels the pending request.
        case cancel
        /// The server has accepted the offer, with this answer.
        case answered(WHIPAnswer)
        /// The server refuses the stream or does not answer. This is the last output.
        case failed(BroadcastFailure)
        /// The requested end is complete. This is the last output.
        case ended
    }

    private enum State: Sendable {
        case idle
        case offering(to: HTTPTarget, sdp: [UInt8], redirections: Int, until: Instant)
        /// The server has a session, which is ended by a request to this target; `nil` if the target is on another
        /// server, to which no requests are sent.
        case open(HTTPTarget?)
        case deleting(until: Instant)
        case over
    }

    /// The maximum number of redirections of one offer.
    package static let mostRedirections = 5

    private let address: WHIPAddress
    private let token: StreamSecret?
    private let settings: WHIPSettings
    private var state = State.idle
    private var outputs: [Output] = []
    /// True once the end was requested.
    private var isEnding = false
    /// The failure because of which a session that the server has opened is being deleted.
    private var failure: BroadcastFailure?

    package init(_ address: WHIPAddress, token: StreamSecret?, _ settings: WHIPSettings = WHIPSettings()) {
        self.address = address
        self.token = token
        self.settings = settings
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .offer(let sdp):
            guard case .idle = state, !isEnding else { return }
            post(
                Array(sdp.utf8), to: address.endpoint, redirections: 0, until: now + settings.answerTimeout)
        case .response(let response):
            switch state {
            case .offering(let target, let sdp, let redirections, let until):
                take(response, of: target, sdp, redirections, until, now)
            case .deleting: finish()
            case .idle, .open, .over: break
            }
        case .broken(let why):
            switch state {
            case .offering: fail(why.failure)
            case .deleting: finish()
            case .idle, .open, .over: break
            }
        case .end: end(now)
        }
    }

    package mutating func tick(now: Instant) {
        guard let deadline, now >= deadline.at else { return }
        outputs.append(.cancel)
        switch state {
        case .offering: fail(WHIPBreak.unreachable.failure)
        case .deleting: finish()
        case .idle, .open, .over: break
        }
    }

    package mutating func poll() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    package var deadline: Deadline? {
        switch state {
        case .offering(_, _, _, let until): Deadline(at: until, why: "the offer is not answered")
        case .deleting(let until): Deadline(at: until, why: "the end is not answered")
        case .idle, .open, .over: nil
        }
    }

    /// True once the last output is queued or was returned.
    package var isOver: Bool { if case .over = state { true } else { false } }

    // MARK: - The offer

    private mutating func post(_ sdp: [UInt8], to target: HTTPTarget, redirections: Int, until: Instant) {
        state = .offering(to: target, sdp: sdp, redirections: redirections, until: until)
        outputs.append(
            .send(
                WHIPRequest(
                    method: .post, target: target,
                    fields: [HTTPField("Content-Type", "application/sdp"), HTTPField("Accept", "application/sdp")]
                        + authorization,
                    body: sdp, isFirst: redirections == 0)))
    }

    private var authorization: [HTTPField] { token.map { [HTTPField("Authorization", "Bearer " + $0.text)] } ?? [] }

    private mutating func take(
        _ response: WHIPResponse, of target: HTTPTarget, _ sdp: [UInt8], _ redirections: Int, _ until: Instant,
        _ now: Instant
    ) {
        switch response.status {
        case 201: open(response, of: target, now)
        case 307, 308:
            if isEnding { return finish() }
            guard redirections < Self.mostRedirections else { return fail(WHIPRefusal.tooManyRedirections) }
            guard let next = response.value("location").flatMap(target.resolving) else {
                return fail(WHIPRefusal.badRedirection)
            }
            guard next.isSecure || !target.isSecure else { return fail(WHIPRefusal.insecure) }
            guard next.isSameOrigin(as: address.endpoint) else { return fail(WHIPRefusal.elsewhere(next)) }
            post(sdp, to: next, redirections: redirections + 1, until: until)
        default: fail(WHIPRefusal.failure(response))
        }
    }

    private mutating func open(_ response: WHIPResponse, of target: HTTPTarget, _ now: Instant) {
        guard let named = response.value("location").flatMap(target.resolving) else {
            return fail(WHIPRefusal.withoutLocation)
        }
        guard named.isSecure || !target.isSecure else { return fail(WHIPRefusal.insecure) }
        // A session on another server is not deleted, as that server detects the end by the media connection.
        let session = named.isSameOrigin(as: address.endpoint) ? named : nil
        state = .open(session)
        if isEnding { return delete(session, now) }
        let type = response.value("content-type")?.prefix { $0 != ";" }.lowercased() ?? ""
        guard type.split(separator: " ") == ["application/sdp"], !response.body.isEmpty,
            response.body.count <= WHIPResponse.maximumBody
        else {
            // Delete the session, which can't be used without an SDP answer.
            failure = WHIPRefusal.withoutDescription
            return delete(session, now)
        }
        outputs.append(
            .answered(
                WHIPAnswer(
                    sdp: String(decoding: response.body, as: UTF8.self),
                    servers: WHIPServer.all(in: response.values("link")))))
    }

    // MARK: - The end

    private mutating func end(_ now: Instant) {
        guard !isEnding else { return }
        isEnding = true
        switch state {
        case .idle: finish()
        // The server may already have a session for the offer, so wait for the response, which names the session's
        // target.
        case .offering(let target, let sdp, let redirections, let until):
            state = .offering(
                to: target, sdp: sdp, redirections: redirections, until: min(until, now + settings.endTimeout))
        case .open(let session): delete(session, now)
        case .deleting, .over: break
        }
    }

    private mutating func delete(_ session: HTTPTarget?, _ now: Instant) {
        guard let session else { return finish() }
        state = .deleting(until: now + settings.endTimeout)
        outputs.append(
            .send(WHIPRequest(method: .delete, target: session, fields: authorization, body: [])))
    }

    private mutating func fail(_ failure: BroadcastFailure) {
        if isEnding { return finish() }
        state = .over
        outputs.append(.failed(failure))
    }

    private mutating func finish() {
        state = .over
        outputs.append(failure.map { .failed($0) } ?? .ended)
    }
}
