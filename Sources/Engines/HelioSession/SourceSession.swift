package import HelioAdmission
package import HelioCore
import HelioProtection
import HelioRTSP
import HelioRemote
import HelioSDP

/// A native viewer's session at the host: its signalling, its authenticated identity and, once it plays, its media. The
/// `SessionHost` owns the session.
///
/// `SessionState` defines the order of its steps: requests out of order are answered with 455 and change nothing.
package final class SourceSession: ViewerSession {
    /// An output of a session that its host must act on.
    package enum Demand {
        case send([UInt8])
        case close
        case viewer(HostViewer.Demand)
    }

    package var viewer: HostViewer
    /// The SSRC of this viewer's datagrams, which identifies them.
    package let viewerSSRC: SSRC
    package private(set) var state = SessionState.connected
    package private(set) var media: SourceMedia?
    /// The request to answer when a pairing is decided.
    var confirmation: RTSPRequest?
    /// True if the viewer was playing at the last `pollNewNeeds`.
    private var wasPlaying = false
    /// True once the viewer has asked for media or input inside its connection; from then on frames may arrive at any
    /// time.
    var takesFrames = false
    /// The permission last sent to the viewer.
    private var toldControl = false
    /// The terms last sent to the viewer.
    private var toldTerms: StreamTerms?
    /// True until `announce` was called with the pointer's shape.
    package private(set) var needsCursorShape = true
    private var cursor = CursorSender()
    /// True if the viewer was not sent the list of monitors yet.
    package private(set) var needsMonitors = true

    private var parser = RTSPParser()
    /// The host's nonce while `.challenged`, which can be used once.
    private var hostNonce: [UInt8] = []
    private var pairingDeadline: Instant
    private var failedProofs = 0
    private var offer: StreamOffer?
    /// The suite that both ends chose; `nil` is AES-GCM.
    private(set) var suite: AgreedSuite?
    private var nextRequest: UInt32 = 1
    private var demands: [Demand] = []
    /// The number of bytes written to the connection that the kernel has not accepted yet.
    private var unsent = UnsentBytes(most: SourceSession.unsentOfStranger)
    /// The number of messages received before admission.
    private var messages = 0

    /// The limits of unsent bytes: responses to a stranger are short; for a viewer the longest messages are pointer
    /// shapes, of up to 256 KiB.
    private static let unsentOfStranger = 64 << 10
    private static let unsentOfViewer = 8 << 20
    /// The number of unsent bytes above which control datagrams are dropped, as on a full path.
    private static let unsentOfControl = 256 << 10
    /// The limit of messages before admission, including wrong proofs and a pairing.
    private static let messagesTolerated = 32

    private static let proofsTolerated = 3

    /// - Parameter route: the virtual path of the viewer's datagrams if its connection came through a tunnel.
    package init(
        _ id: ConnectionID, address: String, route: PathID? = nil, viewerSSRC: SSRC, now: Instant
    ) {
        viewer = HostViewer(id, address: address, route: route, now: now)
        self.viewerSSRC = viewerSSRC
        pairingDeadline = now
    }

    /// Returns true if the viewer has started or stopped playing, or its sound demand has changed, since the last call.
    package func pollNewNeeds() -> Bool {
        let isPlaying = state == .playing
        defer { wasPlaying = isPlaying }
        return media?.pollNewSoundDemand() == true || isPlaying != wasPlaying
    }

    package func pollDemands() -> [Demand] {
        defer { demands = [] }
        return demands
    }

    func demand(_ demand: Demand) { demands.append(demand) }

    func demand(_ demand: HostViewer.Demand) { demands.append(.viewer(demand)) }

    package var progress: Stranger.Progress? { state.progress }

    /// Advances the state by a step; returns false, and changes nothing, if the step is out of order.
    func advance(_ step: SessionState.Step) -> Bool {
        guard let next = state.after(step) else { return false }
        state = next
        return true
    }

    func beginPairing(until deadline: Instant) {
        guard advance(.pair) else { return }
        pairingDeadline = deadline
    }

    /// Returns the host's nonce, and makes it invalid for later proofs; `nil` if none is pending.
    func takeNonce() -> [UInt8]? { advance(.mistake) ? hostNonce : nil }

    package var deadline: Deadline? {
        switch state {
        case .connected, .challenged, .admitted, .ready: Deadline(at: viewer.admissionEnds, why: "admission")
        case .pairing: Deadline(at: pairingDeadline, why: "pairing")
        case .playing: .earliest(.earliest(media?.deadline, unsent.deadline), cursor.deadline)
        case .paused: .earliest(media?.deadline, unsent.deadline)
        case .ended: nil
        }
    }

    package func tick(host: any SessionHost, now: Instant) {
        if state == .pairing {
            if now >= pairingDeadline { pairingTimedOut(host: host, now: now) }
            return
        }
        guard state.isWatching else {
            if now >= viewer.admissionEnds { end(nil, close: true, now: now) }
            return
        }
        media?.tick(now: now)
        if media?.pollDoubt() == true { setParameter(SilenceMessage.contentType, SilenceMessage.body) }
        if unsent.isStuck(now: now) { return endUnread(host: host, now: now) }
        if let silent = media?.silence(now: now) {
            end("vanished: silent for \(silent.components.seconds) s", close: true, now: now)
        }
    }

    // MARK: Signalling

    package func handle(_ bytes: [UInt8], host: any SessionHost, now: Instant) {
        guard state != .ended else { return }
        parser.append(bytes)
        do {
            while state != .ended, let message = try parser.next() {
                if !state.isAdmitted {
                    messages += 1
                    guard messages <= Self.messagesTolerated else {
                        host.count(.tooManyRequests)
                        return end(nil, close: true, now: now)
                    }
                }
                switch message {
                case .request(let request): answer(request, host: host, now: now)
                // Responses acknowledge the host's requests; their status does not matter.
                case .response: break
                case .interleaved(let channel, let bytes): take(bytes, channel, host: host, now: now)
                }
            }
        } catch {
            respond(.badRequest, to: nil)
            end("broke the protocol: \(error)", close: true, now: now)
        }
    }

    /// Accounts for bytes that are about to be written to the connection; ends the session if its peer does not read.
    package func willWrite(_ count: Int, host: any SessionHost, now: Instant) {
        unsent.write(count, now: now)
        media?.setUnsent(unsent.count)
        if unsent.isTooMuch { endUnread(host: host, now: now) }
    }

    /// Notes that the kernel has accepted this many bytes of the connection.
    package func wrote(_ count: Int, now: Instant) {
        unsent.taken(count, now: now)
        media?.setUnsent(unsent.count)
        media?.goOn(now: now)
        tellTransferRoom()
    }

    /// True if so many bytes are unsent that control datagrams are dropped.
    var isFull: Bool { unsent.count > Self.unsentOfControl }
    /// The number of bytes written to the connection that the kernel has not accepted yet.
    var unsentBytes: Int { unsent.count }

    private func endUnread(host: any SessionHost, now: Instant) {
        guard state != .ended else { return }
        host.count(.unread)
        end("reads nothing", close: true, now: now)
    }

    private static let methods: [RTSPMethod] = [.describe, .setup, .play, .pause, .teardown, .getParameter]

    private func answer(_ request: RTSPRequest, host: any SessionHost, now: Instant) {
        if request.method == .options {
            return respond(
                .ok, to: request,
                ["Public": "OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER"])
        }
        let isOfSound =
            request.method == .setParameter && request.headers["Content-Type"] == SoundMessage.contentType
        guard Self.methods.contains(request.method) || isOfSound else { return respond(.notImplemented, to: request) }
        if let named = request.headers["Session"], RTSPSessionHeader(named)?.id != sessionID {
            return respond(.sessionNotFound, to: request)
        }
        switch request.method {
        case .describe: describe(request, host: host, now: now)
        case .setup: setUp(request, host: host, now: now)
        case .play: play(request, host: host, now: now)
        case .pause: pause(request)
        case .getParameter: respond(state.isAdmitted ? .ok : .unauthorized, to: request)
        case .setParameter: setSound(request, now: now)
        default:
            respond(.ok, to: request)
            end("left", close: true, now: now)
        }
    }

    private func describe(_ request: RTSPRequest, host: any SessionHost, now: Instant) {
        if let header = request.headers["Authorization"], PairingHeader.isMeant(by: header),
            state.after(.pair) != nil
        {
            return pair(header, request, host: host, now: now)
        }
        guard let claim = request.headers["Authorization"].flatMap(ProofHeader.init(claim:)), state == .challenged
        else {
            guard advance(.describe) else { return respond(.invalidState, to: request) }
            hostNonce = host.makeNonce()
            return respond(.unauthorized, to: request, ["WWW-Authenticate": ProofHeader.challenge(hostNonce)])
        }
        let protection: SuiteHandshake.Outcome
        do throws(SuiteHandshake.Refusal) {
            // Check the suite before the proof, so that no link is used up by a viewer that can't be served.
            protection = try host.judgeSuite(
                request.headers[SuiteHeader.headerName], clientNonce: claim.nonce, hostNonce: hostNonce)
        } catch {
            return refuseSuite(error, request, host: host, now: now)
        }
        let verdict =
            if let device = claim.device {
                host.desk.judge(
                    device, proof: claim.proof, clientNonce: claim.nonce, hostNonce: hostNonce, from: address, now: now)
            } else {
                host.desk.judge(
                    proof: claim.proof, clientNonce: claim.nonce, hostNonce: hostNonce, from: address, now: now,
                    random: &host.random)
            }
        switch verdict {
        case .refused(let refusal):
            // A nonce can be used once.
            _ = advance(.mistake)
            failedProofs += 1
            demand(viewer.refused(refusal))
            respond(.forbidden, to: request, ["Heliograph-Refusal": refusal.rawValue])
            if failedProofs == Self.proofsTolerated || refusal != .wrongProof { end(nil, close: true, now: now) }
        case .admitted(let hostProof, let ticket, let ticketUsed):
            viewer.ticketUsed = ticketUsed
            if ticketUsed == nil { demand(.usedLink) }
            admit(
                request, host: host, ["Heliograph-Ticket": Hexadecimal.text(ticket.bytes)], hostProof, protection,
                now: now)
        case .known(let device, let hostProof):
            viewer.device = device
            // A device that was paired before the host had a rendezvous learns of it here.
            var headers: RTSPHeaders = [:]
            tellPlaces(of: host, in: &headers)
            admit(request, host: host, headers, hostProof, protection, now: now)
        }
    }

    private func refuseSuite(
        _ reason: SuiteHandshake.Refusal, _ request: RTSPRequest, host: any SessionHost, now: Instant
    ) {
        let refusal: AdmissionDesk.Refusal
        switch reason {
        case .suiteRequired: refusal = .suiteRequired
        case .keyDiffers: refusal = .suiteKeyDiffers
        case .malformed, .failed:
            _ = advance(.mistake)
            return respond(.badRequest, to: request)
        }
        host.desk.count(refusal)
        demand(viewer.refused(refusal))
        respond(.forbidden, to: request, ["Heliograph-Refusal": refusal.rawValue])
        end(nil, close: true, now: now)
    }

    private func admit(
        _ request: RTSPRequest, host: any SessionHost, _ headers: RTSPHeaders, _ hostProof: [UInt8],
        _ protection: SuiteHandshake.Outcome, now: Instant
    ) {
        // A viewer that sends no capabilities is assumed to have those that every viewer has.
        let told = request.headers[StreamCapabilities.headerName]
        guard
            let capabilities = told.map(StreamCapabilities.init(headerValue:))
                ?? StreamCapabilities(keepsPointers: false)
        else {
            _ = advance(.mistake)
            return respond(.badRequest, to: request)
        }
        guard let offer = host.makeOffer(for: self, taking: capabilities, now: now),
            let sent = try? offer.masked(by: protection.suite, crypto: host.crypto), advance(.prove)
        else {
            _ = advance(.mistake)
            return respond(.notAcceptable, to: request)
        }
        unsent.most = Self.unsentOfViewer
        suite = protection.suite
        viewer.capabilities = capabilities
        if capabilities.keepsPointers { cursor.beginNaming() }
        self.offer = offer
        viewer.allowsControl = offer.allowsControl
        toldControl = offer.allowsControl
        toldTerms = offer.terms
        var headers = headers
        headers.append("Content-Type", "application/sdp")
        headers.append("Heliograph-Proof", Hexadecimal.text(hostProof))
        if let answer = protection.answer { headers.append(SuiteHeader.headerName, answer) }
        respond(.ok, to: request, headers, body: sent.sessionDescription(id: id.rawValue).serialised())
        if protection.agreement.summary != nil {
            demand(.event(.suite(protection.agreement, address: address)))
        }
    }

    private func setUp(_ request: RTSPRequest, host: any SessionHost, now: Instant) {
        if state.after(.changeTransport) != nil, request.uri.hasSuffix("/video"), request.body.isEmpty {
            return changeTransport(request, now: now)
        }
        if state.after(.changeTransport) != nil, request.uri.hasSuffix("/control"), request.body.isEmpty {
            return takeControlInside(request)
        }
        if state.after(.changeTransport) != nil, request.uri.hasSuffix("/transfer"), request.body.isEmpty {
            return openTransfer(request, host: host)
        }
        // Each kind of SETUP checks its own order below, once the request is parsed.
        guard state.after(.setUpControl) != nil, let offer else { return respond(.invalidState, to: request) }
        if let sound = offer.sounds.first(where: { request.uri.hasSuffix("/" + $0.path) }) {
            return setUp(sound, request, host: host, now: now)
        }
        if offer.takesVoice, request.uri.hasSuffix("/" + VoiceOffer.path) { return setUpVoice(request, host: host) }
        guard let attributes = SetupAnswer.attributes(of: request.body),
            let transports = request.headers["Transport"].flatMap(TransportHeader.list)
        else { return respond(.badRequest, to: request) }
        var reply: TransportHeader
        if request.uri.hasSuffix("/video") {
            guard transports.contains(where: { $0.isSecureFeedback }) else {
                return respond(.unsupportedTransport, to: request)
            }
            guard
                let viewerKey = KeyAttribute.mediaKey(
                    attributes, .viewerVideo, unmaskedBy: suite, crypto: host.crypto)
            else { return respond(.notAcceptable, to: request) }
            guard state.after(.setUpVideo) != nil,
                let made = try? SourceMedia(
                    offer: offer, viewerKey: viewerKey, ssrc: host.makeSSRC(), retransmissionSSRC: host.makeSSRC(),
                    paritySSRC: host.makeSSRC(), viewerSSRC: viewerSSRC, home: viewer.home,
                    startBitrate: host.knownBitrate(to: viewer.rememberedAddress, now: now),
                    crypto: suite.provider(for: .video, over: host.crypto), now: now),
                advance(.setUpVideo)
            else { return respond(.invalidState, to: request) }
            made.agree(on: host.agreedBitrate, now: now)
            media = made
            reply = TransportHeader("RTP/SAVPF/UDP")
            reply.ssrc = made.ssrc
            reply.serverPorts = host.mediaPort...host.mediaPort
        } else if request.uri.hasSuffix("/control") {
            guard
                let viewerKey = KeyAttribute.controlKey(
                    attributes, .viewerControl, unmaskedBy: suite, crypto: host.crypto)
            else { return respond(.notAcceptable, to: request) }
            guard !viewer.hasControl, advance(.setUpControl) else { return respond(.invalidState, to: request) }
            viewer.hasControl = true
            let terms = ControlTerms(
                viewer: viewerSSRC, hostKey: offer.controlKey, viewerKey: viewerKey,
                allowsControl: viewer.allowsControl,
                name: device?.name ?? "", suite: suite)
            demand(.control(.open(terms, from: viewer.home)))
            reply = TransportHeader(StreamOffer.controlTransport)
            reply.serverPorts = host.controlPort...host.controlPort
        } else {
            return respond(.notFound, to: request)
        }
        if let media {
            reply.others.append(.init("rtx-ssrc", String(media.retransmissionSSRC.rawValue, radix: 16)))
            reply.others.append(.init("fec-ssrc", String(media.paritySSRC.rawValue, radix: 16)))
        }
        reply.others.append(.init("viewer-ssrc", String(viewerSSRC.rawValue, radix: 16)))
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    private func play(_ request: RTSPRequest, host: any SessionHost, now: Instant) {
        let isFirst = state == .ready
        guard let media, advance(.play) else { return respond(.invalidState, to: request) }
        media.play(isFirst: isFirst, now: now)
        respond(.ok, to: request, ["Session": sessionHeader])
        tellPermission()
        announce(host.terms(for: self))
        guard isFirst else { return }
        // PLAY shows that the viewer has received its next ticket, so retire the used ticket.
        if let used = viewer.ticketUsed { host.desk.retire(used) }
        for demand in viewer.watches { self.demand(demand) }
    }

    private func pause(_ request: RTSPRequest) {
        guard advance(.pause) else { return respond(.invalidState, to: request) }
        respond(.ok, to: request, ["Session": sessionHeader])
    }

    private var sessionID: String { String(viewerSSRC.rawValue, radix: 16) }
    var sessionHeader: String { RTSPSessionHeader(id: sessionID, timeout: 60).value }

    func respond(
        _ status: RTSPStatus, to request: RTSPRequest?, _ headers: RTSPHeaders = [:], body: [UInt8] = []
    ) {
        var headers = headers
        if let sequence = request?.headers["CSeq"] { headers.append("CSeq", sequence) }
        demands.append(.send(RTSPResponse(status, headers: headers, body: body).serialised()))
    }

    /// Notifies a viewer that the host ends the session, before the connection is closed (RFC 7826 section 13.7.2).
    private func tearDown(_ refusal: AdmissionDesk.Refusal?) {
        guard state.isWatching else { return }
        var headers: RTSPHeaders = ["CSeq": "\(nextRequest)"]
        if let refusal { headers.append("Heliograph-Refusal", refusal.rawValue) }
        demands.append(.send(RTSPRequest(.teardown, uri: "*", headers: headers).serialised()))
        nextRequest &+= 1
    }

    package func kick(_ reason: KickReason, _ why: String, now: Instant) {
        switch reason {
        case .putOut, .sharingEnded: media?.sayGoodbye(now: now)
        case .otherCodec, .revoked, .outsideHours: break
        }
        let refusal: AdmissionDesk.Refusal? =
            switch reason {
            case .revoked: .unknownDevice
            case .outsideHours: .outsideHours
            case .putOut, .sharingEnded, .otherCodec: nil
            }
        tearDown(refusal)
        end(why, close: true, now: now)
    }

    package func permit(_ allowed: Bool) {
        guard viewer.permit(allowed) else { return }
        if viewer.hasControl { demand(.control(.permit(viewerSSRC, allowed))) }
        tellPermission()
    }

    /// Sends the permission if it has changed. Before PLAY viewers don't accept it, so a change made since the offer
    /// is sent after PLAY.
    private func tellPermission() {
        guard state.isWatching, toldControl != viewer.allowsControl else { return }
        toldControl = viewer.allowsControl
        setParameter(PermissionMessage.contentType, PermissionMessage.encode(toldControl))
    }

    /// Sends the terms if they have changed. Before PLAY viewers don't accept them.
    package func announce(_ terms: StreamTerms) {
        guard state.isWatching, toldTerms != terms else { return }
        toldTerms = terms
        setParameter(StreamTerms.contentType, terms.body)
    }

    /// Sets the pointer's shape, with sides of at most `CursorMessage.largestSide`; `sendCursor` sends it.
    package func announce(_ shape: CursorShape) {
        needsCursorShape = false
        cursor.show(shape)
    }

    /// Sends the pointer's shape if its rate limit allows. Shapes must arrive reliably and in order, so they are sent
    /// on the signalling connection. A paused viewer is sent the shape when it resumes.
    ///
    /// - Returns: whether a message was sent.
    package func sendCursor(now: Instant) -> Bool {
        guard state == .playing, let message = cursor.poll(now: now) else { return false }
        let body: [UInt8]
        switch message {
        case .shape(let shape, _):
            body = CursorMessage.encode(shape)
            setParameter(CursorMessage.contentType, body)
        case .again(let number):
            body = CursorMessage.encode(number: number)
            setParameter(CursorMessage.numberContentType, body)
        }
        // The message shares the path with video, so its bytes count against the rate of video.
        media?.note(beside: body.count, now: now)
        return true
    }

    /// Counts of all drops, by name: those of the media, and of pointer shapes that newer ones replaced.
    package var allDrops: [String: Int] { .sum(media, ["pointer-shapes": cursor.skipped]) }

    /// Sends the list of monitors, a body of `MonitorsMessage`. A viewer that does not play is sent the list later.
    package func announce(monitors: [UInt8]) {
        guard state == .playing else {
            needsMonitors = true
            return
        }
        needsMonitors = false
        setParameter(MonitorsMessage.contentType, monitors)
    }

    private func setParameter(_ contentType: String, _ body: [UInt8]) {
        let request = RTSPRequest(
            .setParameter, uri: "*", headers: ["CSeq": "\(nextRequest)", "Content-Type": contentType], body: body)
        nextRequest &+= 1
        demands.append(.send(request.serialised()))
    }

    // MARK: End

    /// Ends the session; the host is notified if the viewer was watching and there is a reason.
    ///
    /// - Parameter close: true to close the connection, too.
    package func end(_ reason: String?, close: Bool, now: Instant) {
        let wasPlaying = state.isWatching
        guard advance(.end) else { return }
        if viewer.hasControl { demand(.control(.close(viewerSSRC))) }
        if let reason, wasPlaying { demand(viewer.left(reason)) }
        if close { demands.append(.close) }
    }
}
