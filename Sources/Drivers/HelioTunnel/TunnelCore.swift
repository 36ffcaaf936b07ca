internal import HelioCore
internal import HelioGround
internal import HelioLinks
internal import HelioLoop
internal import HelioOpenSSL
internal import HelioPeer
internal import HelioPeerPort
internal import HelioProtection
internal import HelioRemoteWire
internal import HelioRendezvousWire
internal import NIOCore

/// One end of a tunnel between a viewer and a host: the call at the rendezvous, the peer connection, the link bundle
/// over both, and the stream's pump. Lives on one event loop.
///
/// The link by the call is up as soon as both ends know the link's secret, the link by ICE once there is a path. After
/// the call was lost the session goes on by ICE; without any link it ends after a while.
final class TunnelCore {
    /// The reason for the end of a tunnel.
    enum End {
        /// Either end has closed the session.
        case closed
        case hungUp(HangUpReason)
        /// The other end's reason.
        case refused(String)
        /// No link is left.
        case linksLost
        /// The other end has violated the protocol.
        case violated(String)
        case failed(String)
    }

    static let callLink = LinkID(1)
    static let iceLink = LinkID(2)
    /// The description of an end that has no socket for ICE: one without media sections.
    static let noDescription = "v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
    private static let mostEarlyCandidates = 64
    /// The reason in the `bye` of an end that has nothing to complain of.
    private static let goodbye = "ended"

    let role: LinkBundle.Role
    let call: SealedCall
    private let settings: TunnelSettings
    private let port: PeerPort?
    private let certificates: any DTLSProvider
    let loop: any EventLoop

    var drops = DropCounter<TunnelDrop>()
    private(set) var isOver = false

    // The peer connection.
    /// The TURN servers that the rendezvous lends.
    var lent: [TURNEntry] = []
    private var preparation: TunnelServers?
    private var leg: PeerLeg?
    private var earlyCandidates: [TrickledCandidate?] = []
    /// The kind of the path, while the link by ICE is in the bundle.
    private var path: PeerPathKind?
    /// The search for a better path, at the viewer.
    private var search: PathSearch?

    // The bundle and its stream.
    private(set) var bundle: EngineLoop<LinkBundle>?
    /// The links beside the call's and that of ICE.
    var others: [LinkID: any TunnelLink] = [:]
    private var pump: StreamPump?
    private var linkless: Scheduled<Void>?

    /// Called on the loop with each datagram of the other end.
    var onDatagram: ((DatagramClass, [UInt8]) -> Void)?
    var onEvent: ((TunnelEvent) -> Void)?
    /// Called once the stream reaches the other end, with the session's channel.
    var onStream: ((any Channel) -> Void)?
    /// Called once; everything has been freed by then.
    var onEnd: ((End) -> Void)?

    init(
        _ role: LinkBundle.Role, _ call: SealedCall, port: PeerPort?, certificates: any DTLSProvider,
        settings: TunnelSettings, on loop: any EventLoop
    ) {
        self.role = role
        self.call = call
        self.port = port
        self.certificates = certificates
        self.settings = settings
        self.loop = loop
        call.onEvent = { [weak self] in self?.take($0) }
        if role == .viewer { search = PathSearch(settings, on: loop) { [weak self] in self?.restartICE() } }
    }

    var statistics: LinkBundleStatistics? { bundle?.read { $0.statistics } }
    var hasLinks: Bool { bundle != nil }

    // MARK: Ending

    /// Ends the session: what was given to the stream is delivered first, if a link is up.
    func close() {
        if let bundle { bundle.feed(.end) } else { finish(.closed) }
    }

    /// Frees everything at once.
    func finish(_ end: End) {
        if isOver { return }
        isOver = true
        linkless?.cancel()
        search?.stop()
        preparation?.cancel()
        bundle?.stop()
        bundle = nil
        // The reason of a call's end is the rendezvous' word: the other end believes only a sealed one.
        if call.hasSpoken { call.send(.bye(reason: Self.goodbye)) }
        call.hangUp(.ended)
        leg?.close()
        leg = nil
        closeOthers()
        pump?.close()
        pump = nil
        (onDatagram, onEvent, onStream) = (nil, nil, nil)
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(end)
    }

    // MARK: The call

    private func take(_ event: SealedCall.Event) {
        switch event {
        case .turn(let entries): lent = entries
        case .ringing:
            guard role == .viewer else { return drops.count(.unexpected) }
            onEvent?(.ringing)
            if preparation == nil, leg == nil, bundle == nil { prepare { core in core.offer() } }
        case .message(let message): take(message)
        case .data(let bytes):
            guard let bundle else { return drops.count(.noLinks) }
            bundle.feed(.received(bytes, on: Self.callLink))
        case .hungUp(let reason): callEnded(.hungUp(reason), reason)
        case .violated: callEnded(.violated("a message of the call is not authentic"), .protocolError)
        }
    }

    /// Goes on without the call. Nobody has sealed the reason of its end, so that a rendezvous can't end a session that
    /// has another link.
    private func callEnded(_ end: End, _ reason: HangUpReason) {
        guard let bundle else { return finish(end) }
        bundle.feed(.down(Self.callLink))
        onEvent?(.callLost(reason))
        watchLinks()
    }

    /// Handles a message of the other end; the host's first one is handed in by its owner.
    func take(_ message: SignalingMessage) {
        switch (message, role) {
        case (.offer(let sdp), .host): taken(offer: sdp)
        case (.answer(let sdp), .viewer): taken(answer: sdp)
        case (.candidate(let candidate), _): taken(candidate)
        case (.bye(let reason), _):
            finish(bundle != nil ? .closed : reason == Self.goodbye ? .hungUp(.ended) : .refused(reason))
        case (.refused(let reason), .viewer): finish(.refused(reason.rawValue))
        default: drops.count(.unexpected)
        }
    }

    // MARK: Descriptions

    /// Resolves the ICE servers, then goes on.
    private func prepare(_ body: @escaping (TunnelCore) -> Void) {
        guard port != nil else { return body(self) }
        let servers = TunnelServers(settings, lent: lent, isNear: call.lendsNearServers, on: loop)
        preparation = servers
        servers.resolve(within: settings.resolving) { [weak self] configuration, malformed in
            guard let self, !isOver else { return }
            preparation = nil
            drops.count(.malformedServer, malformed)
            drops.count(.privateServer, configuration.setAside[.privateServer])
            openLeg(configuration)
            body(self)
        }
    }

    private func openLeg(_ configuration: PeerConnectionConfiguration) {
        guard let port else { return }
        // Without a peer connection, the call carries everything.
        leg = try? PeerLeg(
            on: port, configuration, certificates: certificates, tell: { [weak self] in self?.take($0) })
    }

    private func offer() {
        do {
            guard let leg else { return call.send(.offer(sdp: Self.noDescription)) }
            try leg.offer(restartsICE: false) { send(offer: $0) }
        } catch {
            loseLeg()
            call.send(.offer(sdp: Self.noDescription))
        }
    }

    private func send(offer: String) {
        search?.note(local: offer)
        call.send(.offer(sdp: offer))
    }

    private func taken(offer: String) {
        if bundle != nil || pump != nil { return answer(offer) }
        guard preparation == nil, leg == nil else { return drops.count(.unexpected) }
        guard Self.hasSections(offer) else {
            call.send(.answer(sdp: Self.noDescription))
            return beginLinks()
        }
        prepare { core in
            core.answer(offer)
            core.beginLinks()
        }
    }

    private func answer(_ offer: String) {
        do {
            guard let leg, Self.hasSections(offer) else { return call.send(.answer(sdp: Self.noDescription)) }
            try leg.answer(offer) { call.send(.answer(sdp: $0)) }
            addEarlyCandidates()
        } catch {
            loseLeg()
            call.send(.answer(sdp: Self.noDescription))
        }
    }

    private func taken(answer: String) {
        search?.note(remote: answer)
        if Self.hasSections(answer), let leg {
            do {
                try leg.take(answer: answer)
            } catch {
                loseLeg()
            }
        } else {
            loseLeg()
        }
        if bundle == nil { beginLinks() }
    }

    /// Returns true if a description has a media section. Its lines end with CR LF, which a string counts as one character.
    private static func hasSections(_ sdp: String) -> Bool { sdp.utf8.contains("\nm=".utf8) }

    private func taken(_ candidate: TrickledCandidate?) {
        if let candidate { search?.note(remote: candidate.candidate) }
        guard preparation == nil else {
            guard earlyCandidates.count < Self.mostEarlyCandidates else { return drops.count(.candidate) }
            return earlyCandidates.append(candidate)
        }
        guard let leg, (try? leg.add(candidate)) != nil else { return drops.count(.candidate) }
    }

    private func addEarlyCandidates() {
        let candidates = earlyCandidates
        earlyCandidates = []
        for candidate in candidates { taken(candidate) }
    }

    // MARK: The peer connection

    private func take(_ happening: PeerLeg.Happening) {
        switch happening {
        case .candidate(let candidate):
            if let candidate { search?.note(local: candidate.candidate) }
            call.send(.candidate(candidate))
        case .path(let kind): noted(kind)
        case .datagram(let bytes):
            guard let bundle else { return drops.count(.noLinks) }
            bundle.feed(.received(bytes, on: Self.iceLink))
        case .noPath: noted(nil)
        case .ended: loseLeg()
        }
    }

    private func noted(_ kind: PeerPathKind?) {
        let before = path
        path = kind
        search?.changed(isRelayed: kind?.isRelayed)
        guard let bundle, kind != before else { return }
        if let kind {
            let traits = Self.traits(kind)
            bundle.feed(before == nil ? .up(Self.iceLink, traits) : .changed(Self.iceLink, traits))
        } else {
            bundle.feed(.down(Self.iceLink))
        }
        watchLinks()
    }

    private static func traits(_ kind: PeerPathKind) -> LinkTraits {
        LinkTraits(kind: kind.isRelayed ? .relayed : .direct)
    }

    private func loseLeg() {
        let leg = leg
        self.leg = nil
        leg?.close()
        noted(nil)
    }

    /// Searches for a better path, if the call can still carry the descriptions.
    private func restartICE() {
        guard let leg, call.isAlive else { return }
        // An offer that is still unanswered has to be answered first: the next search comes.
        try? leg.offer(restartsICE: true) { send(offer: $0) }
    }

    // MARK: The links

    private func beginLinks() {
        guard bundle == nil, pump == nil, !isOver else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        StreamPump.pair(on: loop).whenComplete { bound.value.opened($0) }
    }

    private func opened(_ pair: Result<(any Channel, any Channel), any Error>) {
        do {
            let pair = try pair.get()
            guard !isOver, bundle == nil else {
                pair.0.close(promise: nil)
                return pair.1.close(promise: nil)
            }
            pump = try StreamPump(
                pair, give: { [weak self] in self?.bundle?.feed(.stream($0)) },
                hold: { [weak self] in self?.bundle?.feed(.holdStream($0)) }, ended: { [weak self] in self?.close() })
            guard let secret = call.linkSecret else { return finish(.violated("no secret was agreed on")) }
            var random = SecureGenerator()
            let engine = try LinkBundle(
                role, secret: secret, crypto: OpenSSLCrypto(), settings: settings.links, seed: random.next(),
                now: MonotonicClock.now)
            let bundle = EngineLoop(
                engine, on: loop, perform: { [weak self] in self?.perform($0) },
                settled: { [weak self] in self?.pump?.flush() })
            self.bundle = bundle
            if call.isAlive { bundle.feed(.up(Self.callLink, LinkTraits(kind: .rendezvous))) }
            if let path { bundle.feed(.up(Self.iceLink, Self.traits(path))) }
            for (id, link) in others.sorted(by: { $0.key < $1.key }) { bundle.feed(.up(id, link.traits)) }
            search?.begin()
            watchLinks()
        } catch {
            finish(.failed("\(error)"))
        }
    }

    /// Sends a datagram to the other end.
    func send(_ bytes: [UInt8], _ purpose: DatagramClass) {
        guard let bundle else { return drops.count(.noLinks) }
        bundle.feed(.send(purpose, bytes))
    }

    private func perform(_ output: LinkBundle.Output) {
        switch output {
        case .transmit(let bytes, on: Self.callLink): call.send(data: bytes)
        case .transmit(let bytes, on: Self.iceLink): leg?.send(bytes)
        case .transmit(let bytes, on: let id): others[id]?.send(bytes)
        case .received(let purpose, let bytes): onDatagram?(purpose, bytes)
        case .stream(let bytes): pump?.write(bytes)
        case .streamRoom(let bytes): pump?.allow(bytes)
        case .event(let event):
            onEvent?(.link(event))
            if event == .streamConnected, let pump {
                let onStream = onStream
                self.onStream = nil
                onStream?(pump.session)
            }
        case .closed(let end):
            switch end {
            case .endedHere, .endedByPeer: finish(.closed)
            case .lost: finish(.linksLost)
            case .streamFailed: finish(.violated("the stream has failed"))
            }
        }
    }

    /// Ends the session if it has been without any link for a while.
    func watchLinks() {
        guard !isOver, bundle != nil, !call.isAlive, path == nil, others.isEmpty else {
            linkless?.cancel()
            linkless = nil
            return
        }
        guard linkless == nil else { return }
        let delay = TimeAmount.nanoseconds(settings.linkless.nanoseconds)
        linkless = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.finish(.linksLost) }
    }
}
