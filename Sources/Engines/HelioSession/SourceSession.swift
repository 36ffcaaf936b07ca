import HelioCore
import HelioProtection
import HelioRTSP
import HelioSDP

/// One viewer at the host: its signalling, who it has proven to be, and, once it plays, its media. Owned by
/// `SourceHost`.
///
///                 proof            SETUP video, control, PLAY            PAUSE
///     connected ---------> admitted ------------------------> playing <---------> paused
///         \___________________\__________ TEARDOWN, silence, error _______\______/---> ended
///          \--> pairing -----------------------------------------------------------/
///
/// What comes out of order is answered with 455 and changes nothing (row 26).
final class SourceSession {
    enum State: Sendable, Equatable {
        case connected
        /// Two people compare codes: see `PairingDesk`.
        case pairing
        case admitted
        case playing
        /// Set up, but the viewer wants no media for now.
        case paused
        case ended
    }

    /// What a session wants its host to do.
    enum Demand {
        case send([UInt8])
        case close
        case control(HostControl.Input)
        case event(SourceHost.Event)
        case admitted(usedLink: Bool)
    }

    let id: ConnectionID
    let address: String
    /// The SSRC under which this viewer sends; its datagrams are told apart by it.
    let viewerSSRC: SSRC
    private(set) var state = State.connected
    private(set) var media: MediaSender?
    /// Which paired device this is; `nil` before it has proven so, and for who came by a link.
    private(set) var device: PairedDevice?
    /// The request that is answered when a pairing is decided.
    var confirmation: RTSPRequest?
    private var hasControl = false
    /// What the viewer can take; known once it is admitted.
    private(set) var capabilities: StreamCapabilities?
    private var allowsControl = false
    /// A viewer that just began to play has not been shown the pointer yet.
    private(set) var needsCursorShape = true
    let joined: Instant

    private var parser = RTSPParser()
    private var hostNonce: [UInt8]?
    private var pairingDeadline: Instant
    private var failedProofs = 0
    private var offer: StreamOffer?
    private var nextRequest: UInt32 = 1
    private var demands: [Demand] = []

    private static let proofsTolerated = 3
    /// A connection that does not play by then is closed.
    private static let admissionTime = Duration.seconds(20)

    init(_ id: ConnectionID, address: String, viewerSSRC: SSRC, now: Instant) {
        self.id = id
        self.address = address
        self.viewerSSRC = viewerSSRC
        joined = now
        pairingDeadline = now
    }

    func takeDemands() -> [Demand] {
        defer { demands.removeAll(keepingCapacity: true) }
        return demands
    }

    func demand(_ demand: Demand) { demands.append(demand) }

    func beginPairing(until deadline: Instant) {
        state = .pairing
        pairingDeadline = deadline
    }

    /// The host's nonce, which serves once.
    func takeNonce() -> [UInt8]? {
        defer { hostNonce = nil }
        return hostNonce
    }

    var deadline: Deadline? {
        switch state {
        case .connected, .admitted: Deadline(at: joined + Self.admissionTime, why: "admission")
        case .pairing: Deadline(at: pairingDeadline, why: "pairing")
        case .playing, .paused: media?.deadline
        case .ended: nil
        }
    }

    func tick(host: SourceHost, now: Instant) {
        if state == .pairing {
            if now >= pairingDeadline { pairingTimedOut(host: host, now: now) }
            return
        }
        guard state == .playing || state == .paused else {
            if now >= joined + Self.admissionTime { end(nil, close: true, now: now) }
            return
        }
        media?.tick(now: now)
        if let silent = media?.silence(now: now) {
            end("vanished: silent for \(silent.components.seconds) s", close: true, now: now)
        }
    }

    // MARK: Signalling

    func receive(_ bytes: [UInt8], host: SourceHost, now: Instant) {
        guard state != .ended else { return }
        parser.append(bytes)
        do {
            while state != .ended, let message = try parser.next() {
                // Responses acknowledge what the host announced; nothing hangs on them.
                if case .request(let request) = message { answer(request, host: host, now: now) }
            }
        } catch {
            respond(.badRequest, to: nil)
            end("broke the protocol: \(error)", close: true, now: now)
        }
    }

    private func answer(_ request: RTSPRequest, host: SourceHost, now: Instant) {
        switch request.method {
        case .options:
            respond(.ok, to: request, ["Public": "OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER"])
        case .describe: describe(request, host: host, now: now)
        case .setup: setUp(request, host: host, now: now)
        case .play: play(request, now: now)
        case .pause: pause(request)
        case .getParameter: respond(state == .connected || state == .pairing ? .unauthorized : .ok, to: request)
        case .teardown:
            respond(.ok, to: request)
            end("left", close: true, now: now)
        default: respond(.notImplemented, to: request)
        }
    }

    private func describe(_ request: RTSPRequest, host: SourceHost, now: Instant) {
        if let header = request.headers["Authorization"], PairingHeader.isMeant(by: header),
            state == .connected || state == .pairing
        {
            return pair(header, request, host: host, now: now)
        }
        guard state == .connected else { return respond(.invalidState, to: request) }
        guard let hostNonce, let claim = request.headers["Authorization"].flatMap(ProofHeader.init(claim:)) else {
            let nonce = host.desk.makeNonce()
            hostNonce = nonce
            return respond(.unauthorized, to: request, ["WWW-Authenticate": ProofHeader.challenge(nonce)])
        }
        let verdict =
            if let device = claim.device {
                host.desk.judge(
                    device, proof: claim.proof, clientNonce: claim.nonce, hostNonce: hostNonce, from: address, now: now)
            } else {
                host.desk.judge(
                    proof: claim.proof, clientNonce: claim.nonce, hostNonce: hostNonce, from: address, now: now)
            }
        // A nonce serves once.
        self.hostNonce = nil
        switch verdict {
        case .refused(let refusal):
            failedProofs += 1
            demands.append(.event(.refused(address: address, refusal)))
            respond(.forbidden, to: request, ["Heliograph-Refusal": refusal.rawValue])
            if failedProofs == Self.proofsTolerated || refusal != .wrongProof { end(nil, close: true, now: now) }
        case .admitted(let hostProof, let ticket, let usedLink):
            demands.append(.admitted(usedLink: usedLink))
            admit(request, host: host, ["Heliograph-Ticket": ProofHeader.hex(ticket.bytes)], hostProof)
        case .known(let device, let hostProof):
            self.device = device
            admit(request, host: host, [:], hostProof)
        }
    }

    private func admit(_ request: RTSPRequest, host: SourceHost, _ headers: RTSPHeaders, _ hostProof: [UInt8]) {
        // A viewer that says nothing takes what every one takes.
        let told = request.headers[StreamCapabilities.headerName]
        guard let capabilities = told.map(StreamCapabilities.init(headerValue:)) ?? StreamCapabilities() else {
            return respond(.badRequest, to: request)
        }
        guard let offer = host.makeOffer(for: self, taking: capabilities) else {
            return respond(.notAcceptable, to: request)
        }
        self.capabilities = capabilities
        self.offer = offer
        allowsControl = offer.allowsControl
        state = .admitted
        var headers = headers
        headers.append("Content-Type", "application/sdp")
        headers.append("Heliograph-Proof", ProofHeader.hex(hostProof))
        respond(.ok, to: request, headers, body: offer.sessionDescription(id: id.rawValue).serialised())
    }

    private func setUp(_ request: RTSPRequest, host: SourceHost, now: Instant) {
        guard state == .admitted, let offer else { return respond(.invalidState, to: request) }
        guard let attributes = SetupAnswer.attributes(of: request.body),
            let transports = request.headers["Transport"].flatMap(TransportHeader.list)
        else { return respond(.badRequest, to: request) }
        var reply: TransportHeader
        if request.uri.hasSuffix("/video") {
            guard
                transports.contains(where: { $0.transport.uppercased().hasPrefix("RTP/SAVPF") && $0.interleaved == nil }
                )
            else { return respond(.unsupportedTransport, to: request) }
            guard let viewerKey = KeyAttribute.mediaKey(attributes) else { return respond(.notAcceptable, to: request) }
            guard media == nil,
                let sender = try? MediaSender(
                    offer: offer, codec: host.format.codec, viewerKey: viewerKey, ssrc: host.makeSSRC(),
                    viewerSSRC: viewerSSRC, crypto: host.crypto, now: now)
            else { return respond(.invalidState, to: request) }
            media = sender
            reply = TransportHeader("RTP/SAVPF/UDP")
            reply.ssrc = sender.ssrc
            reply.serverPorts = host.mediaPort...host.mediaPort
        } else if request.uri.hasSuffix("/control") {
            guard let viewerKey = KeyAttribute.controlKey(attributes) else {
                return respond(.notAcceptable, to: request)
            }
            guard !hasControl else { return respond(.invalidState, to: request) }
            hasControl = true
            let terms = ControlTerms(
                viewer: viewerSSRC, hostKey: offer.controlKey, viewerKey: viewerKey, allowsControl: allowsControl)
            demands.append(.control(.open(terms)))
            reply = TransportHeader(StreamOffer.controlTransport)
            reply.serverPorts = host.controlPort...host.controlPort
        } else {
            return respond(.notFound, to: request)
        }
        reply.others.append(.init("viewer-ssrc", String(viewerSSRC.rawValue, radix: 16)))
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    private func play(_ request: RTSPRequest, now: Instant) {
        guard state == .admitted || state == .paused, let media else { return respond(.invalidState, to: request) }
        let isFirst = state == .admitted
        state = .playing
        media.play(now: now)
        respond(.ok, to: request, ["Session": sessionHeader])
        if isFirst { demands.append(.event(.joined(id, address: address, device: device?.name))) }
    }

    private func pause(_ request: RTSPRequest) {
        guard state == .playing else { return respond(.invalidState, to: request) }
        state = .paused
        respond(.ok, to: request, ["Session": sessionHeader])
    }

    private var sessionHeader: String {
        RTSPSessionHeader(id: String(viewerSSRC.rawValue, radix: 16), timeout: 60).value
    }

    func respond(
        _ status: RTSPStatus, to request: RTSPRequest?, _ headers: RTSPHeaders = [:], body: [UInt8] = []
    ) {
        var headers = headers
        if let sequence = request?.headers["CSeq"] { headers.append("CSeq", sequence) }
        demands.append(.send(RTSPResponse(status, headers: headers, body: body).serialised()))
    }

    /// Tells a viewer that the host ends the session, ahead of the connection's end (RFC 7826 section 13.7.2).
    func tearDown(_ refusal: AdmissionDesk.Refusal? = nil) {
        guard state == .playing || state == .paused else { return }
        var headers: RTSPHeaders = ["CSeq": "\(nextRequest)"]
        if let refusal { headers.append("Heliograph-Refusal", refusal.rawValue) }
        demands.append(.send(RTSPRequest(.teardown, uri: "*", headers: headers).serialised()))
        nextRequest &+= 1
    }

    /// The pairing that this viewer came by is as it is in `devices` now, or is no more.
    func follow(_ devices: [DeviceID: PairedDevice], now: Instant) {
        guard let old = device else { return }
        guard let known = devices[old.id], known.secret == old.secret else {
            tearDown(.unknownDevice)
            return end("is no longer paired", close: true, now: now)
        }
        device = known
    }

    /// Lets the viewer drive from now on, or only watch.
    func permit(_ allowed: Bool) {
        guard allowed != allowsControl else { return }
        allowsControl = allowed
        if hasControl { demands.append(.control(.permit(viewerSSRC, allowed))) }
        guard state == .playing else { return }
        setParameter(PermissionMessage.contentType, PermissionMessage.encode(allowed))
    }

    /// Sends the shape of the pointer: reliable and in order, so it goes by signalling.
    func announce(_ shape: CursorShape) {
        guard state == .playing else { return }
        needsCursorShape = false
        setParameter(CursorMessage.contentType, CursorMessage.encode(shape))
    }

    private func setParameter(_ contentType: String, _ body: [UInt8]) {
        let request = RTSPRequest(
            .setParameter, uri: "*", headers: ["CSeq": "\(nextRequest)", "Content-Type": contentType], body: body)
        nextRequest &+= 1
        demands.append(.send(request.serialised()))
    }

    // MARK: End

    /// Ends the session; whoever was watching is told why when there is a reason to tell.
    func end(_ reason: String?, close: Bool, now: Instant) {
        guard state != .ended else { return }
        let wasPlaying = state == .playing || state == .paused
        state = .ended
        if hasControl { demands.append(.control(.close(viewerSSRC))) }
        if let reason, wasPlaying {
            demands.append(.event(.left(id, address: address, device: device?.name, reason: reason)))
        }
        if close { demands.append(.close) }
    }
}
