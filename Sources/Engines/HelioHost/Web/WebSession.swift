import HelioAdmission
import HelioCore
import HelioMedia
import HelioPeer
import HelioProtection
import HelioRTP
import HelioRemote
import HelioRemoteWire
import HelioSession

/// A browser's session at the host: its signalling, its authenticated identity, and the state of its peer connection.
/// `SourceHost` owns the session, like its `SourceSession`s; the session owns the browser's peer connection.
///
/// `WebSessionState` defines the order of its steps. A message that is out of order or malformed is answered with
/// `error` and changes nothing. After repeated mistakes the WebSocket is closed, which ends the session unless its peer
/// connection is established: from then on the session no longer depends on the WebSocket.
final class WebSession: ViewerSession {
    /// An output of a session that its host must act on.
    enum Demand {
        case web(WebOutput)
        case viewer(HostViewer.Demand)
        case keyframe(KeyframeWish)
        case repair(RepairWish)
        case bitrate
    }

    enum Drop: String, Sendable, CaseIterable, Hashable {
        case flood
        case outOfOrder = "out-of-order"
        case tooManyCandidates = "too-many-candidates"
        case awaitingKeyframe = "awaiting-keyframe"
        case tooManyOffers = "too-many-offers"
        /// A report about the picture from a page that does not decode the picture itself.
        case notOwnPicture = "not-own-picture"
        /// A report about the picture that is a repetition of, or older than, an earlier report.
        case outdatedReport = "outdated-report"
    }

    var viewer: HostViewer
    /// True if nobody on the path can read the WebSocket's messages.
    private let isSecure: Bool
    /// The servers for the host's end of this session alone.
    private let lent: WebServers
    private(set) var state = WebSessionState.connected
    /// The estimated bitrate of the viewer's path; `nil` before the first estimate.
    private(set) var suggestedBitrate: Bitrate?
    /// The picture settings that the viewer's user has chosen.
    private(set) var wish = PictureWish()
    private(set) var drops = DropCounter<Drop>()
    private var malformed = DropCounter<RemoteWireError.Reason>()

    private var hello: SignalingMessage.Hello?
    private var hostNonce: [UInt8] = []
    private var binding: [UInt8] = []
    private var stepDeadline: Instant
    private var hasSocket = true
    private var peer: BrowserPeer?
    /// The origins whose sound the host shares.
    private var soundSources: Set<SoundOrigin> = []
    /// The first offer, which waits for the driver to open the peer connection; `nil` once it is answered.
    private var offered: String?
    /// True if the viewer's control channel is open, which may be before its connection is reported.
    private var isControlOpen = false
    /// The page's identity for file transfer; `nil` if the page has none.
    private var fileToken: FileToken?
    /// The ticket or pairing with which the viewer can return; sent on its control channel once that is open.
    private var grant: HostMessage?
    private var ticketRetirement: Instant?
    /// The ticket issued to the viewer in this session.
    private var ticket: SecretBytes?
    private var candidates = 0
    private var mistakes = 0
    private var budget = TokenBucket(burst: 100, perSecond: 20)
    /// The rate limit of further offers, which cost more than any other message.
    private var offers = TokenBucket(burst: 6, perSecond: 0.5)
    private var reader = WebMessageReader()
    private var sound = WebSound()
    private(set) var picture = WebPicture()
    private(set) var ownPicture = WebOwnPicture()
    /// The sender of the pointer's shape to this viewer.
    var cursor = CursorSender()
    /// The viewer's needs at the last `pollNewNeeds`: whether it needed a picture, and its demand for sound.
    private var needs: (picture: Bool, sound: [SoundOrigin: SoundDemand]) = (false, [:])
    private var demands: [Demand] = []

    /// The time limit from admission to a connected peer connection.
    static let connectTime = Duration.seconds(30)
    /// The time after sending a new ticket at which the used ticket is retired: by then the message has arrived, or its
    /// channel has failed.
    static let ticketTime = Duration.seconds(10)
    static let mistakesTolerated = 8
    static let candidateLimit = 128

    init(_ id: ConnectionID, address: String, isSecure: Bool, lent: WebServers, now: Instant) {
        viewer = HostViewer(id, address: address, now: now)
        self.isSecure = isSecure
        self.lent = lent
        stepDeadline = viewer.admissionEnds
    }

    /// The tickets by which the viewer may return.
    var tickets: [SecretBytes] { [viewer.ticketUsed, ticket].compactMap(\.self) }

    /// Returns true if the viewer's need for a picture or its demand for sound has changed since the last call.
    func pollNewNeeds() -> Bool {
        let present = (picture: wantsPicture, sound: soundDemand)
        defer { needs = present }
        return present != needs
    }

    func pollDemands() -> [Demand] {
        defer { demands = [] }
        return demands
    }

    private func demand(_ demand: HostViewer.Demand) { demands.append(.viewer(demand)) }

    private func control(_ input: WebControl) { demand(.control(.web(id, input))) }

    var progress: Stranger.Progress? { state.progress }

    func send(_ message: SignalingMessage) {
        if hasSocket { demands.append(.web(.send(message.serialised()))) }
    }

    /// Advances the state by a step; returns false, and changes nothing, if the step is out of order.
    private func advance(_ step: WebSessionState.Step) -> Bool {
        guard let next = state.after(step) else { return false }
        state = next
        return true
    }

    // MARK: Time

    var deadline: Deadline? {
        switch state {
        case .connected, .greeted: Deadline(at: stepDeadline, why: "admission")
        case .pairing: Deadline(at: stepDeadline, why: "pairing")
        case .admitted, .offered: Deadline(at: stepDeadline, why: "peer connection")
        case .watching:
            Deadline.earliest(
                ticketRetirement.map { Deadline(at: $0, why: "a ticket is void") },
                .earliest(cursor.deadline, .earliest(picture.deadline, sound.deadline)))
        case .ended: nil
        }
    }

    func tick(host: SourceHost, now: Instant) {
        guard let deadline, now >= deadline.at else { return }
        switch state {
        case .connected, .greeted: fail("nothing was proven in \(HostViewer.admissionTime.components.seconds) s")
        case .pairing: refusePairing(.timedOut, host: host)
        case .admitted, .offered: fail("no connection in \(Self.connectTime.components.seconds) s")
        case .watching:
            if let due = ticketRetirement, now >= due {
                ticketRetirement = nil
                if let used = viewer.ticketUsed { host.desk.retire(used) }
            }
            let wishes = picture.tick(overfull: peer?.overfullDeadline(now: now), now: now)
            if let wish = wishes.keyframe { demands.append(.keyframe(wish)) }
            if let wish = wishes.repair { demands.append(.repair(wish)) }
            sound.tick(now)
            sendCursor(now)
        case .ended: break
        }
    }

    // MARK: Signalling

    func handle(_ bytes: [UInt8], host: SourceHost, now: Instant) {
        guard state != .ended, hasSocket else { return }
        guard budget.take(now: now) else {
            drops.count(.flood)
            send(.error(RemoteErrorReport(message: "too many messages")))
            return hangUp()
        }
        let message: SignalingMessage
        do throws(RemoteWireError) {
            message = try SignalingMessage(parsing: bytes)
        } catch {
            malformed.count(error.reason)
            return mistake(error.answer)
        }
        switch message {
        case .hello(let hello): greet(hello, host: host)
        case .join(let join): self.join(join, host: host, now: now)
        case .pair(let commitment): pair(commitment, host: host, now: now)
        case .reveal(let nonce): reveal(nonce, host: host, now: now)
        case .confirm: confirm(host: host, now: now)
        case .offer(let sdp): offer(sdp, host: host, now: now)
        case .candidate(let candidate): handle(candidate, now: now)
        // A viewer's report of an error does not change the session.
        case .error: break
        // Only a call of its own may ask to wake another machine.
        case .wake, .welcome, .pairing, .admitted, .refused, .answer, .woken, .bye: outOfOrder(message)
        }
    }

    private func greet(_ hello: SignalingMessage.Hello, host: SourceHost) {
        guard state.after(.hello) != nil else { return outOfOrder(.hello(hello)) }
        guard hello.version == SignalingMessage.protocolVersion else {
            return fail("version \(SignalingMessage.protocolVersion) is spoken here", about: "hello")
        }
        guard let fingerprint = host.webSettings?.fingerprint,
            let binding = try? WebBinding.digest(host: fingerprint, viewer: hello.fingerprint, crypto: host.crypto),
            advance(.hello)
        else { return fail("browsers are not served") }
        self.hello = hello
        self.binding = binding
        viewer.givenName = host.nameOfGuest(DeviceName.clean(hello.name, fallback: "browser"))
        hostNonce = host.makeNonce()
        send(
            .welcome(
                .init(
                    nonce: hostNonce, fingerprint: fingerprint, name: host.name,
                    pairing: host.pairing.asks && (hello.isVisit || host.hasRoomForDevice),
                    system: host.webSettings?.system, servesHTTPS: host.webSettings?.servesHTTPS ?? false)))
    }

    private func join(_ join: SignalingMessage.Join, host: SourceHost, now: Instant) {
        guard state.after(.prove) != nil, let hello else { return outOfOrder(.join(join)) }
        // Check the codec before the proof, so that no link is used up by a viewer that can't be served.
        guard host.canServeWeb else { return fail("what is shown is not H.264, which is all that browsers take") }
        let verdict: AdmissionDesk.Verdict =
            if let device = join.device {
                DeviceID(device).map {
                    host.desk.judge(
                        $0, proof: join.proof, binding: binding, clientNonce: hello.nonce, hostNonce: hostNonce,
                        from: address, now: now)
                } ?? .refused(.unknownDevice)
            } else {
                host.desk.judge(
                    proof: join.proof, binding: binding, clientNonce: hello.nonce, hostNonce: hostNonce,
                    from: address, now: now, random: &host.random)
            }
        switch verdict {
        case .refused(let refusal): refuse(refusal)
        case .admitted(let hostProof, let ticket, let ticketUsed):
            viewer.ticketUsed = ticketUsed
            self.ticket = ticket
            grant = .ticket(ticket.bytes)
            if ticketUsed == nil { demand(.usedLink) }
            admit(by: .prove, hostProof: hostProof, host: host, now: now)
        case .known(let device, let hostProof):
            viewer.device = device
            admit(by: .prove, hostProof: hostProof, host: host, now: now)
        }
    }

    private func admit(by step: WebSessionState.Step, hostProof: [UInt8]?, host: SourceHost, now: Instant) {
        guard advance(step) else { return }
        stepDeadline = now + Self.connectTime
        viewer.capabilities = .browser
        host.welcomeWeb(now)
        viewer.allowsControl = host.mayDrive(self)
        // Credentials are not sent over plain HTTP; the only relayed path is then that of the host's own TURN
        // allocation.
        let all = host.webSettings?.iceServers(for: id, crypto: host.crypto, now: now) ?? []
        let servers = all.filter { isSecure || $0.credential == nil }
        send(.admitted(.init(proof: hostProof, control: viewer.allowsControl, iceServers: servers)))
    }

    private func offer(_ sdp: String, host: SourceHost, now: Instant) {
        guard state.after(.offer) != nil, let hello else { return outOfOrder(.offer(sdp: sdp)) }
        switch WebOffer.judge(sdp, fingerprint: hello.fingerprint) {
        case .good: break
        case .malformed: return mistake(RemoteErrorReport(message: "no session description", about: "offer"))
        case .withoutH264: return mistake(RemoteErrorReport(message: "no H.264 in it", about: "offer"))
        case .otherCertificate: return refuse(.otherCertificate, host: host)
        }
        guard let settings = host.webSettings, advance(.offer) else { return }
        let peer = settings.makePeer(
            for: id, lent: lent, startBitrate: host.knownBitrate(to: IPAddress(address), now: now),
            crypto: host.crypto, now: now)
        self.peer = peer
        offered = sdp
        demands.append(.web(.peer(.open(peer.engine))))
    }

    private func handle(_ candidate: TrickledCandidate?, now: Instant) {
        guard let peer else { return outOfOrder(.candidate(candidate)) }
        guard candidates < Self.candidateLimit else { return drops.count(.tooManyCandidates) }
        candidates += 1
        peer.add(candidate, now: now)
        demands.append(.web(.peer(.run)))
    }

    private func outOfOrder(_ message: SignalingMessage) {
        drops.count(.outOfOrder)
        mistake(RemoteErrorReport(message: "out of order", about: message.type))
    }

    private func mistake(_ report: RemoteErrorReport) {
        send(.error(report))
        mistakes += 1
        if mistakes >= Self.mistakesTolerated { hangUp() }
    }

    /// Closes the WebSocket, and ends the session unless its peer connection is established.
    private func hangUp() {
        if state == .watching { closeSocket() } else { end("broke the protocol") }
    }

    private func closeSocket() {
        guard hasSocket else { return }
        hasSocket = false
        demands.append(.web(.close))
    }

    private func fail(_ why: String, about: String? = nil) {
        send(.error(RemoteErrorReport(message: why, about: about)))
        end(why)
    }

    /// Refuses the viewer, and ends the session.
    ///
    /// - Parameter host: the host whose desk has to count the refusal; `nil` if the desk has counted it already.
    private func refuse(_ refusal: AdmissionDesk.Refusal, host: SourceHost? = nil) {
        host?.desk.count(refusal)
        demand(viewer.refused(refusal))
        if let reason = RefusalReason(rawValue: refusal.rawValue) { send(.refused(reason)) }
        end(refusal.rawValue)
    }

    /// Refuses the viewer, as the limit of viewers is reached.
    func turnAway() {
        send(.refused(.tooManyViewers))
        end("too many viewers")
    }

    // MARK: Pairing

    private func pair(_ commitment: [UInt8], host: SourceHost, now: Instant) {
        guard state.after(.pair) != nil, let hello else { return outOfOrder(.pair(commitment: commitment)) }
        guard host.canServeWeb else { return fail("what is shown is not H.264, which is all that browsers take") }
        attempt(host) { () throws(PairingDesk.Refusal) in
            guard hello.isVisit || host.hasRoomForDevice else { throw .tooManyDevices }
            let nonce = try host.pairing.begin(
                id, commitment: commitment, name: hello.name, binding: binding, from: address, now: now,
                random: &host.random)
            guard advance(.pair) else { throw .outOfOrder }
            stepDeadline = now + PairingDesk.revealTime
            send(.pairing(nonce: nonce))
        }
    }

    private func reveal(_ nonce: [UInt8], host: SourceHost, now: Instant) {
        guard state == .pairing else { return outOfOrder(.reveal(nonce: nonce)) }
        attempt(host) { () throws(PairingDesk.Refusal) in
            let question = try host.pairing.reveal(id, nonce: nonce)
            stepDeadline = now + PairingDesk.compareTime
            demand(.event(.pairingAsked(question)))
        }
    }

    private func confirm(host: SourceHost, now: Instant) {
        guard state == .pairing else { return outOfOrder(.confirm) }
        attempt(host) { () throws(PairingDesk.Refusal) in
            if let device = try host.pairing.confirm(id, random: &host.random) { adopt(device, host: host, now: now) }
        }
    }

    /// Handles the answer of the host's user to a pairing question.
    func answerPairing(_ answer: PairingDesk.Answer, host: SourceHost, now: Instant) {
        attempt(host) { () throws(PairingDesk.Refusal) in
            if let device = try host.pairing.answer(id, answer, random: &host.random) {
                adopt(device, host: host, now: now)
            }
        }
    }

    private func attempt(_ host: SourceHost, _ step: () throws(PairingDesk.Refusal) -> Void) {
        do throws(PairingDesk.Refusal) { try step() } catch { refusePairing(error, host: host) }
    }

    /// Admits a browser that was paired, on the same connection: the users at both ends have confirmed the pairing.
    private func adopt(_ device: PairedDevice, host: SourceHost, now: Instant) {
        var device = device
        device.isVisitor = hello?.isVisit ?? false
        device.kind = hello?.isPhone == true ? .phone : .browser
        host.add(device)
        viewer.device = device
        demand(.event(.paired(device, address: address)))
        grant = .paired(device: device.id.bytes, secret: device.secret.bytes)
        admit(by: .grant, hostProof: nil, host: host, now: now)
    }

    private func refusePairing(_ refusal: PairingDesk.Refusal, host: SourceHost) {
        host.pairing.count(refusal)
        demand(viewer.refused(refusal))
        if let reason = RefusalReason(rawValue: refusal.rawValue) { send(.refused(reason)) }
        end(refusal.rawValue)
    }

    // MARK: Peer connection

    /// Answers the offer, once the driver has attached the peer connection to its port.
    func peerOpened(host: SourceHost, now: Instant) {
        guard let peer, let offer = offered else { return }
        offered = nil
        soundSources = host.settings.sound
        do {
            let (sdp, candidates) = try peer.answer(offer, sound: host.settings.sound, now: now)
            demands.append(.web(.peer(.run)))
            send(.answer(sdp: sdp))
            for candidate in candidates { send(.candidate(candidate)) }
        } catch {
            fail("\(error)", about: "offer")
        }
    }

    func peerRefused(_ why: String) {
        guard peer != nil, state != .ended else { return }
        peer = nil
        fail(why, about: "offer")
    }

    /// Handles an event of the peer connection.
    ///
    /// - Returns: a viewer's message about input or taking turns at control, to be passed to `HostControl` at once.
    func handle(_ event: PeerConnectionEvent, host: SourceHost, now: Instant) -> WebControl? {
        guard let peer, state != .ended, let happening = peer.handle(event, now: now) else { return nil }
        switch happening {
        case .candidate(let candidate): send(.candidate(candidate))
        case .connected: connected(host: host, now: now)
        case .controlOpen:
            isControlOpen = true
            openControl(host: host, now: now)
        case .message(let bytes, let channel): return read(bytes, channel, host: host, now: now)
        case .transferOpen(let files):
            viewer.hasTransfer = true
            fileToken = files
            openTransfer()
        case .transfer(let message):
            if state == .watching { demand(.transfer(.received(message))) }
        case .transferRoom: tellTransferRoom()
        case .transferClosed: closeTransfer()
        case .keyframeNeeded:
            guard state == .watching else { break }
            if let wish = picture.lost(overfull: peer.overfullDeadline(now: now)) { demands.append(.keyframe(wish)) }
        case .repairNeeded(let wish):
            guard state == .watching else { break }
            if let wish = picture.lost(wish, overfull: peer.overfullDeadline(now: now)) {
                demands.append(.repair(wish))
            }
        case .estimate(let bitrate):
            guard state == .watching, bitrate != suggestedBitrate else { break }
            suggestedBitrate = bitrate
            demands.append(.bitrate)
        case .failed(let reason): end(reason)
        }
        return nil
    }

    // MARK: Data channels

    /// Reads a message of the data channels, and answers it unless it is about input or taking turns at control.
    ///
    /// - Returns: the message if it is about input or taking turns at control, for `HostControl`.
    private func read(_ bytes: [UInt8], _ channel: RemoteChannel, host: SourceHost, now: Instant) -> WebControl? {
        guard viewer.hasControl else {
            drops.count(.outOfOrder)
            return nil
        }
        switch reader.read(bytes, channel, now: now) {
        case .dropped: return nil
        case .mistake(let report): tell(.error(report))
        case .message(let message):
            guard answer(message, host: host, now: now) else { return .message(message, channel) }
        }
        control(.heard)
        return nil
    }

    /// Answers a message about connection, sound, picture or pointer; returns false for a message about input or taking
    /// turns at control.
    private func answer(_ message: ViewerMessage, host: SourceHost, now: Instant) -> Bool {
        switch message {
        case .ping(let id): tell(.pong(id: id))
        case .audioEnabled, .audioVolume, .audioOffer: answerSound(message, host: host, now: now)
        case .videoEnabled(let isWanted): setPicture(isWanted, now: now)
        case .quality(let wish): want(wish)
        case .ownPicture, .pictureLost, .pictureSeen: answerOwnPicture(message, now: now)
        case .keepsCursors: cursor.beginNaming()
        default: return false
        }
        return true
    }

    /// Sends a message on the data channel that it belongs to.
    func tell(_ message: HostMessage) { send(message.serialised(), on: message.channel) }

    /// Sends a serialised message, if the browser has opened the data channel.
    func send(_ message: [UInt8], on channel: RemoteChannel) {
        guard let number = peer?.number(of: channel) else { return }
        demands.append(.web(.peer(.send(message, on: number))))
    }

    /// Handles a message that the peer connection has refused. A lost pointer position on `moves` does not matter, as
    /// it is soon out of date; a refusal on `control` means that the browser has stopped reading, so the session ends.
    func peerUnread(_ number: PeerChannelID) {
        if peer?.channel(number) == .control { end("does not read what it is told") }
    }

    private func connected(host: SourceHost, now: Instant) {
        guard advance(.connect) else { return }
        for demand in viewer.watches { self.demand(demand) }
        if let bitrate = peer?.estimatedBitrate {
            suggestedBitrate = bitrate
            demands.append(.bitrate)
        }
        demands.append(.keyframe(.init("a viewer joined", isJoin: true)))
        openControl(host: host, now: now)
        openTransfer()
    }

    // MARK: Transfer channel

    private func openTransfer() {
        guard state == .watching, hasTransfer else { return }
        demand(.transfer(.opened(sharesClipboard: true, files: fileToken)))
        tellTransferRoom()
    }

    private func closeTransfer() {
        guard hasTransfer else { return }
        viewer.hasTransfer = false
        demand(.transfer(.closed))
    }

    private func tellTransferRoom() { if let transferRoom { demand(.transfer(.room(transferRoom))) } }

    var channelRoundTrip: MeasuredRoundTrip? { peer?.channelRoundTrip }

    var transferRoom: Int? { state == .watching && hasTransfer ? peer?.transferRoom : nil }

    func send(transfer message: [UInt8], now: Instant) {
        guard let peer, hasTransfer else { return }
        // A missing message makes the transfer channel useless; the session continues without the channel.
        guard peer.send(transfer: message, now: now) else { return closeTransfer() }
        demands.append(.web(.peer(.run)))
        tellTransferRoom()
    }

    private func openControl(host: SourceHost, now: Instant) {
        guard state == .watching, isControlOpen, !viewer.hasControl else { return }
        viewer.hasControl = true
        tellScreen(host, now: now)
        control(.open(name: viewer.name ?? "", allowsControl: viewer.allowsControl))
        if !soundSources.isEmpty { tell(.audioSources(soundSources)) }
        if let grant { tell(grant) }
        grant = nil
        if viewer.ticketUsed != nil { ticketRetirement = now + Self.ticketTime }
    }

    /// The measured bitrate of the path; `nil` if it was never measured.
    var carriedBitrate: Bitrate? { peer?.carriedBitrate }

    /// The maximum payload sizes of a slice's packets, in bytes; `nil` before the answer.
    var largestPayload: PacketizedSlice.Limits? { peer?.largestPayload }

    func send(_ slice: borrowing PacketizedSlice, now: Instant) { peer?.send(slice, now: now) }

    // MARK: Picture

    /// Returns whether to send this viewer the slice.
    func takes(_ slice: EncodedSlice, now: Instant) -> Bool {
        guard wantsPicture else { return false }
        let takes = picture.takes(slice, now: now)
        if !takes { drops.count(.awaitingKeyframe) }
        return takes
    }

    /// Switches to another encoding at its next keyframe.
    func changeEncode() { picture.changeEncode() }

    /// Sets whether only occasional keyframes are sent. To be called between two frames only.
    func setOnRefresh(_ isOn: Bool, now: Instant) { picture.setOnRefresh(isOn, now: now) }

    /// True if the viewer is to be sent the picture.
    var wantsPicture: Bool { state == .watching && !picture.isPaused }

    private func setPicture(_ isWanted: Bool, now: Instant) {
        guard state == .watching else { return }
        if let wish = picture.set(isWanted: isWanted, now: now) { demands.append(.keyframe(wish)) }
    }

    /// Handles the messages of a page that decodes the picture itself.
    private func answerOwnPicture(_ message: ViewerMessage, now: Instant) {
        guard let peer else { return }
        switch message {
        case .ownPicture(let isEnabled, let repairs):
            guard ownPicture.set(repairs: isEnabled ? repairs : nil) else { return }
            peer.setOwnPicture(repairs: ownPicture.repairs, now: now)
        case .pictureLost(let whole, let order):
            if let drop = ownPicture.lost(order: order) { return drops.count(drop) }
            peer.pictureLost(whole: whole, now: now)
        case .pictureSeen(let timestamp, let milliseconds):
            if let drop = ownPicture.saw(timestamp: timestamp, milliseconds: milliseconds) { drops.count(drop) }
            return
        default: return
        }
        demands.append(.web(.peer(.run)))
    }

    /// The maximum bitrate for this viewer: the estimate of its path, or its user's limit if that is lower; `nil`
    /// without an estimate.
    var wantedBitrate: Bitrate? { suggestedBitrate.map { estimate in wish.most.map { min($0, estimate) } ?? estimate } }

    private func want(_ wish: PictureWish) {
        guard state == .watching, wish != self.wish else { return }
        self.wish = wish
        demands.append(.bitrate)
    }

    // MARK: Sound

    /// Handles the sound settings of the viewer's user. Every viewer that may watch may also receive sound.
    private func answerSound(_ message: ViewerMessage, host: SourceHost, now: Instant) {
        guard let peer else { return }
        switch message {
        case .audioEnabled(let isOn): sound.enable(isOn, now: now)
        case .audioVolume(let level): sound.set(volume: level, now: now)
        case .audioOffer(let sdp, let isInStep):
            answerAgain(sdp, isInStep: isInStep, by: peer, host: host, now: now)
        default: return
        }
        if !sound.isHeard { peer.pauseSound() }
    }

    private func answerAgain(_ sdp: String, isInStep: Bool, by peer: BrowserPeer, host: SourceHost, now: Instant) {
        func refuse(_ why: String) {
            tell(.error(RemoteErrorReport(message: why, about: "audioOffer")))
        }
        guard offers.take(now: now) else {
            drops.count(.tooManyOffers)
            return refuse("too many offers")
        }
        guard let hello else { return }
        switch WebOffer.judge(sdp, fingerprint: hello.fingerprint) {
        case .good: break
        case .malformed: return refuse("no session description")
        case .withoutH264: return refuse("no H.264 in it")
        case .otherCertificate: return refuse("another certificate")
        }
        do {
            let answer = try peer.answerAgain(sdp, sound: host.settings.sound, isInStep: isInStep, now: now)
            tell(.audioAnswer(sdp: answer))
            demands.append(.web(.peer(.run)))
        } catch {
            refuse("\(error)")
        }
    }

    /// This viewer's sound demand, only for origins whose tracks the browser has agreed to receive.
    var soundDemand: [SoundOrigin: SoundDemand] {
        guard state == .watching, sound.isWanted, let peer else { return [:] }
        return peer.soundDemand
    }

    /// Sends a packet of sound if the viewer wants to hear it.
    ///
    /// - Returns: whether it was sent.
    func send(_ packet: EncodedSound, now: Instant) -> Bool {
        guard state == .watching, sound.isHeard, let peer else { return false }
        if let time = peer.pollSoundTime(packet, now: now) { tell(time) }
        return peer.send(packet, now: now)
    }

    // MARK: Permissions

    func permit(_ allowed: Bool) {
        if viewer.permit(allowed), viewer.hasControl { control(.permit(allowed)) }
    }

    // MARK: End

    /// Notes that the WebSocket has ended, which ends a session without a peer connection.
    func socketClosed() {
        hasSocket = false
        if peer == nil { end("connection closed") }
    }

    /// Disconnects the viewer, and sends `bye` on the open channels.
    func kick(_ reason: KickReason, _ why: String, now: Instant) {
        if state.isAdmitted { send(.bye(reason: reason.rawValue)) }
        end(why, telling: reason.rawValue)
    }

    /// Ends the session; the host's user is notified with the reason if the viewer was watching.
    private func end(_ reason: String, telling: String? = nil) {
        let wasWatching = state == .watching
        guard advance(.end) else { return }
        if viewer.hasControl {
            if let telling { tell(.bye(reason: telling)) }
            control(.close)
        }
        if wasWatching { demand(viewer.left(reason)) }
        if peer != nil { demands.append(.web(.peer(.close))) }
        closeSocket()
    }

    /// Adds the statistics that only the peer connection has.
    func complete(_ viewer: inout SourceHost.Statistics.Viewer) {
        peer?.complete(&viewer, hears: sound.isHeard)
    }

    /// Counts of all drops, by name.
    var allDrops: [String: Int] {
        .sum(drops.named("web-"), malformed.named("web-signaling-"), reader, cursorDrops, peer?.engine.named("web-"))
    }
}

extension StreamCapabilities {
    /// The capabilities of every browser with WebRTC. The H.264 level in a browser's offer is not applied as a limit,
    /// as browsers accept higher levels than they announce.
    static let browser = StreamCapabilities(codecs: [.h264], takesFullChroma: false)
}
