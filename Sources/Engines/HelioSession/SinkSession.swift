internal import DequeModule
package import HelioAdmission
package import HelioCore
package import HelioMedia
package import HelioProtection
import HelioRTSP
package import HelioRemote
package import HelioRemoteWire
import HelioSDP
import HelioTransfer
package import HelioTransferWire

/// A viewer's session as one engine: it proves to the host that it knows the link's secret, verifies the host, sets up
/// media and control, and plays.
///
/// `SinkState` defines the order of its steps.
///
/// The host must prove that it knows the link's secret before any of the viewer's media are set up. That proof is bound
/// to the certificate of the TLS connection, so a man in the middle fails it. The control channel is an engine of its
/// own, `ViewerControl`; the session negotiates its keys and permission.
package final class SinkSession: Engine {
    package struct Settings: Sendable {
        /// The capabilities of this sink, which are sent to the host.
        package var capabilities: StreamCapabilities
        /// The encryption suite that this end has chosen, used if the host has chosen the same suite; `nil` for
        /// AES-GCM.
        package var suite: SuiteOptions?
        /// The permitted transports for media and input.
        package var transport: TransportPolicy
        /// False if the host's sound is off initially; the input `sound` changes it.
        package var hearsHost = true
        /// True if the user's voice (microphone) is offered to the host.
        package var speaks = false
        /// True if frames are also output in parts, before they are complete.
        package var handsOutParts = false
        /// The directions in which the clipboard is shared with the host while this viewer drives, and its size limit;
        /// `nil` if this machine has no clipboard.
        package var clipboard: ClipboardTerms?
        /// The identifier of this machine's clipboard (`ClipboardAccess.place`), by which the host notices that it uses
        /// the same clipboard.
        package var clipboardPlace: String?
        /// This viewer's identity for file transfer; `nil` without file transfer.
        package var files: FileToken?

        package init(
            capabilities: StreamCapabilities = StreamCapabilities(), suite: SuiteOptions? = nil,
            transport: TransportPolicy = .automatic
        ) {
            self.capabilities = capabilities
            self.suite = suite
            self.transport = transport
        }
    }

    package enum Input: Sendable {
        case connected
        case received([UInt8])
        case disconnected
        case pathOpen
        case pathFailed(String)
        case media([UInt8])
        /// A sealed datagram of the control channel, to be sent inside the connection.
        case control([UInt8])
        /// The control channel receives nothing by UDP.
        case controlUnheard
        /// The round trip of a ping on the control channel.
        case roundTrip(Duration)
        /// The decoder needs a keyframe to continue.
        case keyframeNeeded
        /// The user pauses the media. The host is notified, and sends this viewer no media until `resume`.
        case pause
        case resume
        /// The user turns the host's sound on or off; the host sends sound only while it is on. Initially
        /// `Settings.hearsHost` applies.
        case sound(Bool)
        /// A packet of the user's voice, in an encoding of the last `voiceWanted`.
        case voice(EncodedSound)
        /// An event of this machine's clipboard.
        case clipboard(ClipboardEvent)
        /// The directions in which the clipboard is shared from now on, and its size limit.
        case clipboardTerms(ClipboardTerms)
        /// File-transfer messages; their bytes must have been granted before.
        case files([[UInt8]])
        /// The kernel has accepted this many bytes of `send`.
        case written(Int)
        /// The kernel has accepted this many bytes of `transfer`.
        case transferWritten(Int)
        /// The host has sent more file-transfer messages than its credit allows.
        case filesFlooded
    }

    package enum Output: Sendable {
        case send([UInt8])
        case close
        /// Open a socket to this port of the host, then pass `.pathOpen`.
        case openPath(port: UInt16)
        case media([UInt8])
        /// A frame for the connection, which may be dropped while the connection's queue is full.
        case frame([UInt8])
        /// A frame for the connection that may not be dropped; `transferWritten` reports when the kernel has accepted
        /// it.
        case transfer([UInt8])
        /// A sealed datagram of the control channel that has arrived inside the connection.
        case control([UInt8])
        case event(Event)
    }

    package enum Event: Sendable {
        /// The viewer was admitted; `ticket` is a secret with which it can return until the host ends.
        case admitted(ticket: SecretBytes)
        /// The place where the host is reached from any network, for the pairing by which the viewer was admitted.
        case rendezvous(HostRendezvous)
        /// The addresses by which the host is woken while it sleeps, for the same pairing.
        case wake(WakeAddresses)
        /// The host's name, as sent by the host; it precedes `playing`.
        case hostName(String)
        /// The encryption of the session, if one of the ends chose a suite.
        case suite(SuiteAgreement)
        /// The session plays; the control channel must now be opened to this port of the host.
        case playing(VideoFormat, control: ControlTerms, port: UInt16)
        /// A part of the next frame, which may still be dropped before it is complete; emitted only if
        /// `Settings.handsOutParts` is set.
        case part(ReceivedPart)
        case frame(ReceivedFrame)
        /// A packet of sound, in the order of arrival.
        case sound(ReceivedSound)
        /// The mapping of sound's media times to the host's clock.
        case soundClock(SoundClock)
        /// The demand for the user's voice from now on; `none` while nobody listens.
        case voiceWanted(SoundDemand)
        /// The host does not accept voices, though `Settings.speaks` is set.
        case voiceRefused
        /// The agreed terms have changed, or the bitrate or frame rate that is encoded now.
        case terms(StreamTerms)
        /// The host has fetched this machine's clipboard content, after `handOver`.
        case handedOver
        case cursorShape(CursorShape)
        /// The host permits this viewer to drive from now on, or only to watch.
        case permission(allowsControl: Bool)
        /// The host's monitors, which viewers may choose from, and the one that is shown. Names are cleaned by
        /// `DeviceName.clean`.
        case monitors([MonitorEntry], selected: String?)
        /// Media arrive by another transport from now on, and input is sent by it.
        case transport(StreamTransport, TransportReason)
        /// Input is sent inside the connection from now on, while media arrive by UDP: the control channel's UDP port
        /// is blocked.
        case controlInside
        /// A command for this machine's clipboard.
        case clipboard(ClipboardOrder)
        case files(FileTraffic)
        case ended(HelioError)
    }

    /// The time limit from connecting to playing.
    private static let startTime = Duration.seconds(10)
    private static let mostEarly = 120
    private static let keepAliveInterval = Duration.seconds(20)
    /// The time limit for the response to a keep-alive, after which the connection counts as dead. TCP alone would
    /// detect that only after a quarter of an hour.
    private static let keepAlivePatience = Duration.seconds(10)
    /// The limit of unsent responses in bytes, for a host that does not read them.
    package static let mostUnsent = 8 * 1024 * 1024
    /// The limit of requests from a host that has not proven its identity: a genuine host sends none before that.
    package static let mostStrangersRequests = 8

    let settings: Settings
    private let link: ShareLink
    private let fingerprint: [UInt8]
    let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable

    package private(set) var state = SinkState.idle
    private var parser = RTSPParser(limits: .init(body: 8 + CursorMessage.largestSide * CursorMessage.largestSide * 4))
    var outputs = Deque<Output>()
    /// The host's pointer shapes so far; the host refers to a repeated shape by its number.
    private var cursors = CursorList()
    private var nextCSeq: UInt32 = 1
    private var clientNonce: [UInt8] = []
    private var evidence: LinkProof?
    private var handshake: SuiteHandshake?
    /// The suite that both ends chose; `nil` is AES-GCM.
    private(set) var suite: AgreedSuite?
    private var offer: StreamOffer?
    private var videoKey: SRTPMasterKey?
    private var controlKey: SealedKey?
    private(set) var mediaSetup: SetupReply?
    private var controlPort: UInt16?
    private var sessionID: String?
    private(set) var media: SinkMedia?
    /// The number of the pending request for another transport.
    private var transportRequest: UInt32?
    /// True once media or input inside the connection was requested; from then on frames may arrive at any time, even
    /// before the response.
    var takesFrames = false
    /// The state of input inside the connection, while media arrive by UDP.
    var controlInside = ControlInside.not
    var transfer = TransferChannel.closed
    var clipboard: ClipboardExchange
    /// The last measured round trip to the host; `nil` before the first.
    private(set) var roundTrip: MeasuredRoundTrip?
    /// The allowance of bytes for file transfer; `nil` without file transfer.
    var allowance: FileAllowance?
    /// The frames received before the response to PLAY, which follows within `startTime`.
    private var early: [ReceivedFrame] = []
    private(set) var isPaused = false
    var sound = SoundState()
    var voice = VoiceState()
    private var startBy: Instant
    private var nextKeepAlive: Instant?
    /// The time by which the host must send something on the connection; `nil` if no keep-alive is pending.
    private var answerBy: Instant?
    /// The number of bytes of `send` that the kernel has not accepted yet.
    private var unsent = 0
    /// The number of requests received from the host before it proved its identity.
    private var strangersRequests = 0

    package init(
        _ settings: Settings, link: ShareLink, certificateFingerprint: [UInt8], crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        self.link = link
        fingerprint = certificateFingerprint
        self.crypto = crypto
        self.random = random
        startBy = now + Self.startTime
        clipboard = ClipboardExchange(terms: settings.clipboard ?? .nothing, now: now)
        sound.isWanted = settings.hearsHost
    }

    /// Returns the next output. Outputs of the media are mapped one at a time.
    package func poll() -> Output? {
        while true {
            if let output = outputs.popFirst() { return output }
            guard state != .ended, let output = media?.poll() else { break }
            if let output = map(output) { return output }
        }
        tellVoice()
        return outputs.popFirst()
    }

    // MARK: Inputs

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .connected:
            guard advance(.connected) else { return }
            clientNonce = SecretBytes(count: AdmissionDesk.nonceBytes, using: &random).bytes
            request(.describe, headers: ["Accept": "application/sdp"])
        case .received(let bytes): handle(bytes, now)
        case .disconnected:
            end(
                HelioError(
                    .unreachable,
                    state == .playing
                        ? "The host closed the connection." : "The host closed the connection before the session began."
                ))
        case .pathOpen: pathOpen(now)
        case .pathFailed(let reason):
            end(HelioError(.systemFailed, "No UDP socket can be opened: \(reason)."))
        case .media(let bytes): media?.handle(bytes, now: now)
        case .control(let bytes): if let frame = frame(bytes, .control) { outputs.append(frame) }
        case .controlUnheard: askForControlInside(now)
        case .roundTrip(let time):
            roundTrip = MeasuredRoundTrip(time: time, number: (roundTrip?.number ?? 0) + 1)
            media?.setRoundTrip(time)
        case .keyframeNeeded: media?.requestKeyframe(now: now)
        case .pause: setPaused(true)
        case .resume: setPaused(false)
        case .sound(let isWanted): setSound(on: isWanted)
        case .voice(let packet): send(voice: packet, now)
        case .clipboard(let event): handle(.clipboard(event), now)
        case .clipboardTerms(let terms): handle(.terms(terms), now)
        case .files(let messages): send(files: messages, now)
        case .written(let count): unsent = max(0, unsent - count)
        case .transferWritten(let count): wroteTransfer(count, now)
        case .filesFlooded: end(violation("it sends more about files than it was given credit for"))
        }
    }

    package func tick(now: Instant) {
        guard state != .ended else { return }
        if state != .playing, now >= startBy {
            return end(HelioError(.unreachable, "The host did not answer in \(Self.startTime.components.seconds) s."))
        }
        if let due = nextKeepAlive, now >= due {
            nextKeepAlive = now + Self.keepAliveInterval
            answerBy = answerBy ?? now + Self.keepAlivePatience
            request(.getParameter)
        }
        if let answerBy, now >= answerBy {
            return end(
                HelioError(
                    .unreachable,
                    "The host does not answer on its connection any more: this machine's address may have changed."))
        }
        media?.tick(now: now)
        clipboard.tick(now: now)
        drainClipboard()
        tickTransfer(now)
        if state == .playing, let silent = media?.silence(now: now) {
            end(
                HelioError(
                    .unreachable,
                    "The host has been silent for \(silent.components.seconds) s: its machine or the network "
                        + "is gone, or UDP port \(mediaSetup?.port ?? 0) is blocked."))
        }
    }

    package var deadline: Deadline? {
        switch state {
        case .ended, .idle: return nil
        case .playing:
            let keepAlive = nextKeepAlive.map { Deadline(at: $0, why: "keep-alive") }
            let answer = answerBy.map { Deadline(at: $0, why: "keep-alive unanswered") }
            let transfers = Deadline.earliest(clipboard.deadline, allowance?.deadline)
            return Deadline.earliest(
                Deadline.earliest(keepAlive, answer), .earliest(media?.deadline, transfers))
        default: return Deadline(at: startBy, why: "the host must answer")
        }
    }

    /// Lets the host fetch the clipboard content that this machine has offered to it, before `leave`.
    ///
    /// - Returns: whether to wait for the event `.handedOver`, which reports that the host has fetched the content.
    package func handOver(now: Instant) -> Bool {
        guard state == .playing, case .open = transfer else { return false }
        handle(.leaving, now)
        return clipboard.isHandingOver
    }

    /// Ends the session gracefully: sends BYE and TEARDOWN.
    package func leave(now: Instant) {
        guard state != .ended else { return }
        media?.sayGoodbye()
        drain()
        if sessionID != nil { request(.teardown) }
        _ = advance(.end)
        tellVoice()
        closeTransfer()
        outputs.append(.close)
    }

    /// Advances the state by a step; returns false, and changes nothing, if the step is out of order.
    private func advance(_ step: SinkState.Step) -> Bool {
        guard let next = state.after(step) else { return false }
        state = next
        return true
    }

    // MARK: Signalling

    private var uri: String { "rtsps://\(link.authority)/screen" }

    /// Sends a request, and returns its number.
    @discardableResult
    func request(_ method: RTSPMethod, path: String = "", headers: RTSPHeaders = [:], body: [UInt8] = []) -> UInt32 {
        let number = nextCSeq
        var headers = headers
        headers.append("CSeq", "\(number)")
        nextCSeq += 1
        if let sessionID { headers.append("Session", sessionID) }
        if !body.isEmpty, headers["Content-Type"] == nil { headers.append("Content-Type", "application/sdp") }
        send(RTSPRequest(method, uri: uri + path, headers: headers, body: body).serialised())
        return number
    }

    private func send(_ message: [UInt8]) {
        unsent += message.count
        outputs.append(.send(message))
    }

    private func handle(_ bytes: [UInt8], _ now: Instant) {
        answerBy = nil
        media?.heardOnConnection(now: now)
        parser.append(bytes)
        do {
            while state != .ended, let message = try parser.next() {
                switch message {
                case .response(let response): handle(response, now)
                case .request(let request): answer(request, now)
                case .interleaved(let channel, let bytes): take(bytes, channel, now)
                }
            }
        } catch {
            end(
                state == .playing
                    ? violation("what it sends can't be read")
                    : HelioError(
                        .protocolViolation,
                        "What answers at \(link.authority) is no Heliograph host.", remedy: .checkPort, cause: error))
        }
    }

    private func violation(_ what: String) -> HelioError {
        HelioError(.protocolViolation, "The host does not speak Heliograph's protocol: \(what).")
    }

    static let brokenSuite = HelioError(
        .systemFailed, "The suite can't be set up: this machine's libcrypto lacks what it needs.")
    private static let stoppedSharing = HelioError(.ended, "The host has stopped sharing.")

    private func answer(_ request: RTSPRequest, _ now: Instant) {
        // RFC 7826 section 13.7.2: the host, too, may end a session.
        if request.method == .teardown {
            return end(request.headers["Heliograph-Refusal"].map { refusal($0) } ?? Self.stoppedSharing)
        }
        guard unsent <= Self.mostUnsent else { return end(violation("it asks and does not read the answers")) }
        var status = RTSPStatus.notImplemented
        if state == .idle || state == .asking || state == .proving {
            // Requests of a host that has not proven its identity are not executed.
            strangersRequests += 1
            guard strangersRequests <= Self.mostStrangersRequests else {
                return end(violation("it asks before it has proven who it is"))
            }
        } else if request.method == .setParameter {
            if let isValid = take(request, now) { status = isValid ? .ok : .badRequest }
        } else if request.method == .options || request.method == .getParameter {
            status = .ok
        }
        send(RTSPResponse(status, headers: request.headers["CSeq"].map { ["CSeq": $0] } ?? [:]).serialised())
    }

    /// Handles a message of the host.
    ///
    /// - Returns: false for a malformed message; `nil` for a message of an unknown type.
    private func take(_ message: RTSPRequest, _ now: Instant) -> Bool? {
        switch message.headers["Content-Type"] {
        case PermissionMessage.contentType:
            guard let allowsControl = PermissionMessage.decode(message.body) else { return false }
            outputs.append(.event(.permission(allowsControl: allowsControl)))
        case StreamTerms.contentType:
            guard let terms = StreamTerms(body: message.body) else { return false }
            handle(terms)
        case CursorMessage.contentType:
            guard let shape = CursorMessage.decode(message.body) else { return false }
            cursors.add(shape)
            outputs.append(.event(.cursorShape(shape)))
        case CursorMessage.numberContentType:
            guard let shape = CursorMessage.decodeNumber(message.body).flatMap({ cursors[$0] }) else { return false }
            outputs.append(.event(.cursorShape(shape)))
        case MonitorsMessage.contentType:
            guard let (list, selected) = MonitorsMessage.decode(message.body) else { return false }
            outputs.append(.event(.monitors(list, selected: selected)))
        case SilenceMessage.contentType: media?.isUnheard(now: now)
        default: return nil
        }
        return true
    }

    private func handle(_ terms: StreamTerms) {
        if var agreed = offer {
            terms.apply(to: &agreed.format)
            agreed.coded = terms.coded
            agreed.codedFramesPerSecond = terms.codedFramesPerSecond
            offer = agreed
        }
        outputs.append(.event(.terms(terms)))
    }

    private func handle(_ response: RTSPResponse, _ now: Instant) {
        if isOfSound(response) { return }
        switch state {
        case .asking: prove(response)
        case .proving: described(response)
        case .settingUpVideo: videoSetUp(response)
        case .settingUpControl: controlSetUp(response)
        case .settingUpSound:
            guard sound.asked.isEmpty ? voiceSetUp(response) : soundSetUp(response) else {
                return end(violation("it answers SETUP of sound with \(response.status)"))
            }
            openPathOnceSoundIsSetUp()
        case .starting: started(response, now)
        case .playing: answered(response, now)
        case .openingPath, .idle, .ended: break
        }
    }

    // MARK: Transport

    /// Requests media by another transport: the session and its keys stay as they are (RFC 2326 section 10.4).
    private func askTransport(_ transport: StreamTransport, _ reason: TransportReason) {
        var header = TransportHeader("RTP/SAVPF/\(transport.rawValue.uppercased())")
        if transport == .tcp {
            header.interleaved = ConnectionChannel.media.rawValue...ConnectionChannel.control.rawValue
        }
        // Frames may arrive before the response.
        if transport == .tcp { takesFrames = true }
        transportRequest = nextCSeq
        request(
            .setup, path: "/video",
            headers: ["Transport": header.value, TransportReason.headerName: reason.rawValue])
        // UDP is known to work here, so change at once: the response may be late on a stalled connection.
        if transport == .udp { changeTransport(isGranted: true) }
    }

    private func changeTransport(isGranted: Bool) {
        transportRequest = nil
        if isGranted { controlInside = .not }
        if let change = media?.answeredTransport(isGranted: isGranted) {
            outputs.append(.event(.transport(change.0, change.1)))
        }
    }

    private func answered(_ response: RTSPResponse, _ now: Instant) {
        if answersControlInside(response) || answersTransfer(response, now) { return }
        guard let pending = transportRequest, response.headers["CSeq"] == "\(pending)" else { return }
        changeTransport(isGranted: response.status.isSuccess)
    }

    private func take(_ bytes: [UInt8], _ channel: UInt8, _ now: Instant) {
        if channel == ConnectionChannel.transfer.rawValue { return take(transfer: bytes, now) }
        guard takesFrames else { return end(violation("it sends media where none was agreed on")) }
        guard bytes.count <= ConnectionChannel.largestDatagram, let channel = ConnectionChannel(rawValue: channel)
        else { return end(violation("it sends a frame that no datagram makes")) }
        switch channel {
        case .media:
            media?.handle(bytes, by: .tcp, now: now)
            drain()
        case .control: outputs.append(.control(bytes))
        case .transfer: break
        }
    }

    /// Wraps a datagram in an interleaved frame for the connection; returns `nil` if such frames were not agreed on.
    private func frame(_ bytes: [UInt8], _ channel: ConnectionChannel) -> Output? {
        guard state == .playing, media?.transport == .tcp || channel == .control && controlInside == .agreed else {
            return nil
        }
        return .frame(channel.frame(bytes))
    }

    /// Sends the proof that the host's challenge asks for.
    private func prove(_ response: RTSPResponse) {
        guard response.status == .unauthorized,
            let hostNonce = response.headers["WWW-Authenticate"].flatMap(ProofHeader.nonce(inChallenge:)),
            let evidence = LinkProof(
                secret: SecretBytes(link.secret), binding: fingerprint, clientNonce: clientNonce,
                hostNonce: hostNonce),
            let proof = try? evidence.proof(by: .viewer, crypto: crypto)
        else { return end(violation("it answers DESCRIBE with \(response.status)")) }
        guard advance(.challenged) else { return }
        self.evidence = evidence
        let handshake = SuiteHandshake(
            settings.suite, certificateFingerprint: fingerprint, clientNonce: clientNonce, hostNonce: hostNonce,
            crypto: crypto)
        self.handshake = handshake
        var headers: RTSPHeaders = [
            "Accept": "application/sdp",
            "Authorization": ProofHeader(nonce: clientNonce, proof: proof, device: link.device).value,
            StreamCapabilities.headerName: settings.capabilities.headerValue,
        ]
        do throws(SuiteHandshake.Refusal) {
            if let suite = try handshake.offer() { headers.append(SuiteHeader.headerName, suite) }
        } catch {
            return end(Self.brokenSuite)
        }
        request(.describe, headers: headers)
    }

    /// Handles the response that admits this viewer, and verifies the host's own proof.
    private func described(_ response: RTSPResponse) {
        if response.status == .forbidden || response.status == .unauthorized {
            return end(refusal(response.headers["Heliograph-Refusal"]))
        }
        if response.status == .notAcceptable {
            return end(
                HelioError(.unsupported, "The host codes nothing that this viewer decodes: no codec is common to both.")
            )
        }
        guard response.status.isSuccess else {
            return end(HelioError(.refused, "The host refuses: \(response.status)."))
        }
        guard let hostProof = response.headers["Heliograph-Proof"].flatMap(ProofHeader.bytes), let evidence,
            (try? evidence.verify(hostProof, by: .host, crypto: crypto)) == true
        else {
            return end(
                HelioError(
                    .refused,
                    link.device == nil
                        ? "The host could not prove that the link is its own: do not trust it. Get a fresh link from "
                            + "the sharing machine."
                        : "The host could not prove that it is the one this device was paired with: do not trust it.",
                    reason: HelioError.impostor))
        }
        guard agreeOnSuite(response) else { return }
        guard let description = try? SessionDescription(parsing: response.body),
            let offer = try? StreamOffer(description)?.masked(by: suite, crypto: crypto)
        else { return end(violation("its offer can't be read")) }
        self.offer = offer
        if let name = offer.hostName { outputs.append(.event(.hostName(name))) }
        if let ticket = response.headers["Heliograph-Ticket"].flatMap(ProofHeader.bytes) {
            outputs.append(.event(.admitted(ticket: SecretBytes(ticket))))
        }
        if link.device != nil { learnPlaces(response) }
        let key = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
        guard let sent = try? suite.mask(key, .viewerVideo, crypto: crypto) else { return end(Self.brokenSuite) }
        videoKey = key
        guard advance(.admitted) else { return }
        request(
            .setup, path: "/video", headers: ["Transport": TransportHeader("RTP/SAVPF/UDP").value],
            body: SetupAnswer.video(sent))
        // Send the SETUP of control without waiting for the response to that of video, which saves a round trip before
        // the first picture.
        let controlKey = SealedKey(using: &random)
        guard let sentControl = try? suite.mask(controlKey, .viewerControl, crypto: crypto) else {
            return end(Self.brokenSuite)
        }
        self.controlKey = controlKey
        request(
            .setup, path: "/control", headers: ["Transport": TransportHeader(StreamOffer.controlTransport).value],
            body: SetupAnswer.control(sentControl))
        setUpSound(of: offer)
        if settings.speaks { askForVoice(offer) }
    }

    /// Takes what the host tells a paired device: how it is reached from any network, and how it is woken.
    private func learnPlaces(_ response: RTSPResponse) {
        if let place = response.headers[HostRendezvous.headerName].flatMap({ HostRendezvous($0) }) {
            outputs.append(.event(.rendezvous(place)))
        }
        if let wake = response.headers[WakeAddresses.headerName].flatMap({ WakeAddresses($0) }) {
            outputs.append(.event(.wake(wake)))
        }
    }

    /// Determines the suite by the host's response; returns false if that ends the session.
    private func agreeOnSuite(_ response: RTSPResponse) -> Bool {
        guard let handshake else { return false }
        do throws(SuiteHandshake.Refusal) {
            let outcome = try handshake.confirm(
                response.headers[SuiteHeader.headerName], vectorSeed: SecretBytes(count: 32, using: &random))
            suite = outcome.suite
            if outcome.agreement.summary != nil { outputs.append(.event(.suite(outcome.agreement))) }
            return true
        } catch {
            switch error {
            case .suiteRequired: end(refusal(AdmissionDesk.Refusal.suiteRequired.rawValue))
            case .keyDiffers: end(refusal(AdmissionDesk.Refusal.suiteKeyDiffers.rawValue))
            case .malformed: end(violation("what it says about suites can't be read"))
            case .failed: end(Self.brokenSuite)
            }
            return false
        }
    }

    private func refusal(_ name: String?) -> HelioError {
        let refusal = name.flatMap(AdmissionDesk.Refusal.init(rawValue:))
        let (message, remedy) = explanation(of: refusal)
        return HelioError(.refused, message, remedy: remedy, reason: refusal?.rawValue)
    }

    private func explanation(of refusal: AdmissionDesk.Refusal?) -> (message: String, remedy: HelioError.Remedy?) {
        switch refusal {
        case .linkUsed: ("This link has been used: each lets one viewer in. The sharing machine shows a new one.", nil)
        case .tooManyTries:
            ("The host has seen too many wrong tries: wait a minute, then use the link again.", nil)
        case .unknownDevice:
            ("The host does not know this device any more.", .pairAgain(host: link.authority))
        case .outsideHours: ("This device may come to the host at certain hours only, and now is none of them.", nil)
        case .pairedOnly:
            ("The host lets in paired devices alone, nobody by a link. Pair with it first.", nil)
        case .suiteRequired:
            ("One end requires a suite that the other has not chosen, or not for the same media.", .agreeOnSuite)
        case .suiteKeyDiffers:
            ("Both ends have chosen the same suite, with different keys.", .agreeOnSuiteKey)
        case .wrongProof where link.device != nil:
            ("The host and this device do not share a secret any more.", .pairAgain(host: link.authority))
        case .wrongProof, .otherCertificate, nil:
            ("The host does not know this link or code: copy it again from the sharing machine.", nil)
        }
    }

    private func videoSetUp(_ response: RTSPResponse) {
        guard let reply = SetupReply(response) else {
            return end(violation("it answers SETUP with \(response.status)"))
        }
        guard advance(.videoSetUp) else { return }
        mediaSetup = reply
        sessionID = reply.sessionID
    }

    private func controlSetUp(_ response: RTSPResponse) {
        guard let reply = SetupReply(response), mediaSetup != nil else {
            return end(violation("it answers SETUP with \(response.status)"))
        }
        guard advance(.controlSetUp) else { return }
        controlPort = reply.port
        openPathOnceSoundIsSetUp()
    }

    private func openPathOnceSoundIsSetUp() {
        guard sound.asked.isEmpty, !voice.isAsked, let mediaSetup, advance(.soundSetUp) else { return }
        outputs.append(.openPath(port: mediaSetup.port))
    }

    private func pathOpen(_ now: Instant) {
        guard state == .openingPath, let offer, let videoKey, let mediaSetup else { return }
        do {
            let media = try SinkMedia(
                offer: offer, viewerKey: videoKey, hostSSRC: mediaSetup.hostSSRC,
                retransmissionSSRC: mediaSetup.retransmissionSSRC, paritySSRC: mediaSetup.paritySSRC,
                viewerSSRC: mediaSetup.viewerSSRC, transport: settings.transport,
                handsOutParts: settings.handsOutParts,
                crypto: suite.provider(for: .video, over: crypto), now: now)
            try addSound(to: media)
            if let key = voice.key {
                try media.addVoice(key, crypto: suite.provider(for: .audio, over: crypto))
            }
            self.media = media
        } catch {
            return end(HelioError(.systemFailed, "Media can't be set up: \(error)."))
        }
        // The sound setting is sent before PLAY, so that unwanted sound is not even captured.
        tellSound()
        guard advance(.pathOpen) else { return }
        request(.play)
        // The report shows the host this viewer's address, and opens a firewall for the host's packets.
        media?.report(now: now)
    }

    private func started(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess, let offer, let mediaSetup, let controlKey, let controlPort else {
            return end(violation("it answers PLAY with \(response.status)"))
        }
        guard advance(.played) else { return }
        nextKeepAlive = now + Self.keepAliveInterval
        media?.report(now: now)
        drain()
        let terms = ControlTerms(
            viewer: mediaSetup.viewerSSRC, hostKey: offer.controlKey, viewerKey: controlKey,
            allowsControl: offer.allowsControl, suite: suite)
        outputs.append(.event(.playing(offer.format, control: terms, port: controlPort)))
        media?.play(now: now)
        drain()
        for frame in early { outputs.append(.event(.frame(frame))) }
        early = []
        if isPaused { request(.pause) }
        tellSound()
        tellVoice()
        askForTransfer()
    }

    private func setPaused(_ wish: Bool) {
        guard wish != isPaused else { return }
        isPaused = wish
        if state == .playing { request(wish ? .pause : .play) }
        tellVoice()
    }

    // MARK: Outputs

    /// Moves the media's outputs to the session's queue, so that they precede the session's next outputs.
    private func drain() {
        while state != .ended, let output = media?.poll() {
            if let output = map(output) { outputs.append(output) }
        }
    }

    private func map(_ output: consuming SinkMedia.Output) -> Output? {
        switch consume output {
        case .datagram(let bytes): return media?.transport == .tcp ? frame(bytes, .media) : .media(bytes)
        case .probe(let bytes): return .media(bytes)
        case .askTransport(let transport, let reason): askTransport(transport, reason)
        case .checkConnection: request(.getParameter)
        // Parts are dropped before the response to PLAY, as only whole frames are kept until then.
        case .part(let part): if state == .playing { return .event(.part(part)) }
        case .frame(let frame):
            // Media may overtake the response to PLAY. Output no frame before its format is known.
            if state == .playing { return .event(.frame(frame)) }
            guard early.count < Self.mostEarly else {
                end(violation("it sends media and does not answer PLAY"))
                break
            }
            early.append(frame)
        case .sound(let packet):
            if state == .playing { return .event(.sound(packet)) }
            media?.countEarlySound()
        case .soundClock(let clock): if state == .playing { return .event(.soundClock(clock)) }
        case .goodbye: end(Self.stoppedSharing)
        }
        return nil
    }

    func end(_ error: HelioError) {
        guard advance(.end) else { return }
        tellVoice()
        closeTransfer()
        outputs.append(.event(.ended(error)))
        outputs.append(.close)
    }

    // MARK: Statistics

    /// The number of bytes of clipboard content in memory.
    package var clipboardBytes: Int { clipboard.bufferedBytes }

    package var statistics: SinkStatistics {
        var all = media?.statistics ?? SinkStatistics()
        all.codedBitrate = offer?.coded
        all.codedFramesPerSecond = offer?.codedFramesPerSecond
        if transfer != .closed { all.clipboard = clipboard.statistics }
        return all
    }
}

/// The contents of a SETUP response.
struct SetupReply {
    var port: UInt16
    var hostSSRC: SSRC
    var retransmissionSSRC: SSRC
    var paritySSRC: SSRC
    var viewerSSRC: SSRC
    var sessionID: String

    init?(_ response: RTSPResponse) {
        guard response.status.isSuccess,
            let transport = response.headers["Transport"].flatMap(TransportHeader.list)?.first,
            let port = transport.serverPorts?.lowerBound, port > 0,
            let viewerSSRC = transport.ssrc(of: "viewer-ssrc"), let session = response.headers.session
        else { return nil }
        self.port = port
        self.viewerSSRC = viewerSSRC
        hostSSRC = transport.ssrc ?? SSRC(0)
        retransmissionSSRC = transport.ssrc(of: "rtx-ssrc") ?? SSRC(0)
        paritySSRC = transport.ssrc(of: "fec-ssrc") ?? SSRC(0)
        sessionID = session.id
    }
}

extension TransportHeader {
    /// The SSRC in one of Heliograph's own parameters, written in hexadecimal digits like `ssrc`.
    fileprivate func ssrc(of name: String) -> SSRC? {
        others.first { $0.name == name }.flatMap { $0.value.flatMap { UInt32($0, radix: 16) } }.map { SSRC($0) }
    }
}
