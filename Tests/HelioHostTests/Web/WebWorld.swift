import HelioAdmission
import HelioControlWire
import HelioCore
import HelioHost
import HelioICE
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioSCTP
import HelioSession
import HelioSimulation
import HelioTURN

/// A host and any number of browsers, connected only by this object.
final class WebWorld {
    static let fingerprint = [UInt8](repeating: 3, count: 32)
    /// The browsers' certificate; shared, since making a key takes longer than a whole session.
    static let certificates: OpenSSLDTLS = {
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            preconditionFailure("no certificate: \(error)")
        }
    }()

    let host: SourceHost
    let control: HostControl
    var now: Instant
    private(set) var browsers: [ConnectionID: Browser] = [:]
    /// The control channels of native viewers, by path.
    private var natives: [PathID: ViewerControl] = [:]
    /// The driver notices that native viewers received.
    private(set) var drivers: [PathID: [Driver]] = [:]
    /// The control requests shown to native viewers, by the names of the requesters.
    private(set) var requests: [PathID: [String]] = [:]
    /// True if packets to native viewers are lost.
    var losesNative = false
    private(set) var events: [SourceHost.Event] = []
    private(set) var injected: [InjectedInput] = []
    private(set) var monitorsChosen: [String] = []
    /// The number of inputs passed to the host's control engine.
    private(set) var controlInputs = 0
    /// The orders to the host's clipboard.
    private(set) var clipboard: [ClipboardOrder] = []
    /// The events of viewers' files.
    private(set) var files: [FileNews] = []
    /// Each sent slice's frame index, with its recipients.
    private(set) var slices: [(index: UInt64, to: [ConnectionID])] = []
    private var nextConnection: UInt64 = 1

    private static let screen = PixelSize(width: 1000, height: 500)

    init(
        seed: UInt64 = 1, codecs: [VideoCodec] = [.h264, .h265], allowsControl: Bool = true, viewerLimit: Int = 64,
        asks: Bool = true, inputRate: UInt16? = nil, slowViewers: SlowViewerPolicy = .slowestDecides,
        turnSecret: TURNSharedSecret? = nil,
        now: Instant = .zero + .seconds(100)
    ) {
        self.now = now
        var format = VideoFormat.test
        format.codec = codecs[0]
        var web = WebSettings(fingerprint: Self.fingerprint, viewerLimit: viewerLimit) { configuration, now in
            PeerEngine(
                configuration, crypto: OpenSSLCrypto(), certificates: Self.certificates,
                random: SeededGenerator(seed: seed &+ 77), now: now)
        }
        web.iceServers = [
            ICEServerEntry(urls: ["stun:stun.example"]),
            ICEServerEntry(urls: ["turn:turn.example"], username: "long", credential: "term"),
        ]
        web.turnSecret = turnSecret
        web.system = .windows
        web.servesHTTPS = true
        host = SourceHost(
            .init(
                format: format, allowsControl: allowsControl, codecs: codecs, pairing: .init(asks: asks), name: "tower",
                slowViewers: slowViewers, web: web),
            fingerprint: Array(repeating: 9, count: 32), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: seed), now: now)
        control = HostControl(
            screen: Self.screen, inputRate: inputRate, crypto: OpenSSLCrypto())
        host.handle(.screen(Self.screen, scale: nil), now: now)
    }

    /// - Parameter fingerprint: the value of each byte of the browser's certificate fingerprint.
    func open(address: String = "10.0.0.7", fingerprint: UInt8 = 5, isSecure: Bool = false) -> Browser {
        let id = ConnectionID(nextConnection)
        nextConnection += 1
        let browser = Browser(id, address: address, fingerprint: fingerprint, world: self)
        browsers[id] = browser
        tell(.web(id, .connected(address: address, isSecure: isSecure)))
        return browser
    }

    /// Opens a browser that is admitted by the link and watches.
    func watch(address: String = "10.0.0.7") -> Browser {
        let browser = open(address: address)
        browser.join(host.linkSecret)
        browser.connect()
        return browser
    }

    /// Adds the control channel of a native viewer.
    func addNative(_ number: UInt32, name: String = "", allowsControl: Bool = true) throws {
        var generator = SeededGenerator(seed: UInt64(number))
        let terms = ControlTerms(
            viewer: SSRC(number), hostKey: SealedKey(using: &generator), viewerKey: SealedKey(using: &generator),
            allowsControl: allowsControl, name: name)
        natives[PathID(UInt16(number))] = try ViewerControl(terms, crypto: OpenSSLCrypto(), now: now)
        tellControl(.open(terms, from: PathID.viewer))
    }

    func native(_ number: UInt32, does event: InputEvent) {
        natives[PathID(UInt16(number))]?.handle(.event(event), now: now)
        pump()
    }

    func tell(_ input: SourceHost.Input) {
        var takers: [ConnectionID] = []
        var index: UInt64?
        if case .slice(let slice) = input { index = slice.frameIndex }
        host.handle(input, now: now)
        pump { if index != nil { takers.append($0) } }
        if let index, !takers.isEmpty { slices.append((index, takers)) }
    }

    func tellControl(_ input: HostControl.Input) {
        control.handle(input, now: now)
        pump()
    }

    /// The captured screen has another size, perhaps on another monitor.
    func setScreen(_ size: PixelSize, on monitor: ScreenMonitor? = nil) {
        tellControl(.screen(size, on: monitor))
        tell(.screen(size, scale: monitor?.scale))
    }

    func setMonitors(_ list: [MonitorEntry], selected: String?) {
        tellControl(.monitors(list.map(\.id)))
        tell(.monitors(list, selected: selected))
    }

    func pass(_ duration: Duration) {
        let end = now + duration
        while true {
            let engines = Deadline.earliest(host.deadline, control.deadline)
            let due = natives.values.reduce(engines) { Deadline.earliest($0, $1.deadline) }?.at
            guard let due, due <= end else { break }
            now = max(now, due)
            host.tick(now: now)
            control.tick(now: now)
            for native in natives.values { native.tick(now: now) }
            pump()
        }
        now = end
    }

    func stop() {
        host.stop(now: now)
        pump()
    }

    /// Removes the browsers that the host has forgotten.
    func forgetEnded() {
        for (id, browser) in browsers where browser.state == nil { browsers[id] = nil }
    }

    /// The drops of both engines, by name.
    var drops: [String: Int] { host.statistics.drops.merging(control.allDrops) { $0 + $1 } }

    func takeInjected() -> [InjectedInput] {
        defer { injected = [] }
        return injected
    }

    func takeEvents() -> [SourceHost.Event] {
        defer { events = [] }
        return events
    }

    func takeSlices() -> [(index: UInt64, to: [ConnectionID])] {
        defer { slices = [] }
        return slices
    }

    /// - Parameter ran: called with each browser whose peer connection was run.
    func pump(_ ran: (ConnectionID) -> Void = { _ in }) {
        while let output = host.poll() {
            switch output {
            case .web(let id, let output):
                if case .peer(.run) = output { ran(id) }
                browsers[id]?.take(output)
            case .control(let input):
                controlInputs += 1
                control.handle(input, now: now)
                pumpControl()
            case .event(let event): events.append(event)
            case .clipboard(let order): clipboard.append(order)
            case .files(_, let news): files.append(news)
            case .send, .close, .media, .sources, .voice: break
            }
        }
        pumpControl()
        pumpNatives()
    }

    private func pumpNatives() {
        for (path, native) in natives {
            while let output = native.poll() {
                switch output {
                case .datagram(let bytes):
                    control.handle(.datagram(bytes, from: path), now: now)
                    pumpControl()
                case .driver(let driver): drivers[path, default: []].append(driver)
                case .controlRequested(let name): requests[path, default: []].append(name)
                case .cursorMoved, .roundTrip, .inside, .unheard: break
                }
            }
        }
    }

    private func pumpControl() {
        while let output = control.poll() {
            switch output {
            case .inject(let inputs): injected += inputs
            case .web(let id, let bytes, let channel): browsers[id]?.hear(bytes, channel)
            case .selectMonitor(let id): monitorsChosen.append(id)
            case .datagram(let bytes, let path): if !losesNative { natives[path]?.handle(.datagram(bytes), now: now) }
            case .driver(let viewer):
                host.handle(.driver(viewer), now: now)
                pump()
            case .inside: break
            }
        }
    }
}

/// A browser as the host sees it: it sends messages, and records those it receives.
final class Browser {
    static let nonce = [UInt8](repeating: 8, count: 16)
    static let crypto = OpenSSLCrypto()

    let id: ConnectionID
    let address: String
    let fingerprint: [UInt8]
    unowned let world: WebWorld
    /// The messages received by the WebSocket.
    private(set) var received: [SignalingMessage] = []
    /// The messages received by the data channels.
    private(set) var told: [HostMessage] = []
    private(set) var hostNonce: [UInt8]?
    /// The host's fingerprint that the page would show.
    private(set) var hostFingerprint: [UInt8]?
    /// True if the host has closed the WebSocket.
    private(set) var isClosed = false
    /// The host's peer engine, which receives no datagrams here.
    private(set) var hostPeer: PeerEngine?
    /// The datagrams that the host's peer engine has sent.
    private(set) var datagrams: [(bytes: [UInt8], to: TransportAddress)] = []
    private(set) var isPeerClosed = false
    private(set) var ticket: [UInt8]?
    private(set) var pairing: (device: [UInt8], secret: [UInt8])?
    private(set) var channels: [RemoteChannel] = []

    init(_ id: ConnectionID, address: String, fingerprint: UInt8, world: WebWorld) {
        self.id = id
        self.address = address
        self.fingerprint = Array(repeating: fingerprint, count: 32)
        self.world = world
    }

    // MARK: Admission

    func send(_ message: SignalingMessage) { send(message.serialised()) }
    func send(_ bytes: [UInt8]) { world.tell(.web(id, .received(bytes))) }

    func hello(name: String = "Firefox on Linux", isVisit: Bool = false, isPhone: Bool = false) {
        send(
            .hello(
                .init(nonce: Self.nonce, fingerprint: fingerprint, name: name, isVisit: isVisit, isPhone: isPhone)))
    }

    /// The binding of this end's proofs and codes, as far as it is known.
    var binding: [UInt8] {
        let host = hostFingerprint ?? Array(repeating: 0, count: 32)
        return (try? WebBinding.digest(host: host, viewer: fingerprint, crypto: Self.crypto)) ?? []
    }

    func proof(_ secret: SecretBytes, by role: LinkProof.Role = .viewer) -> [UInt8] {
        let proof = LinkProof(
            secret: secret, binding: binding, clientNonce: Self.nonce,
            hostNonce: hostNonce ?? Array(repeating: 0, count: 16))
        return (try? proof?.proof(by: role, crypto: Self.crypto)) ?? []
    }

    func join(_ secret: SecretBytes, device: [UInt8]? = nil) {
        if hostNonce == nil { hello() }
        send(.join(.init(proof: proof(secret), device: device)))
    }

    // MARK: The peer connection

    func offer() -> String { Self.offer(fingerprint) }

    static func offer(_ fingerprint: [UInt8], codec: String = "H264") -> String {
        let digits = fingerprint.map { Hexadecimal.text([$0]).uppercased() }.joined(separator: ":")
        return [
            "v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1",
            "m=video 9 UDP/TLS/RTP/SAVPF 96", "c=IN IP4 0.0.0.0", "a=ice-ufrag:abcd",
            "a=ice-pwd:0123456789012345678901",
            "a=fingerprint:sha-256 \(digits)", "a=setup:actpass", "a=mid:0", "a=recvonly", "a=rtcp-mux",
            "a=rtpmap:96 \(codec)/90000", "a=fmtp:96 profile-level-id=42e01f;packetization-mode=1",
            "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0",
            "a=ice-ufrag:abcd", "a=ice-pwd:0123456789012345678901", "a=fingerprint:sha-256 \(digits)",
            "a=setup:actpass", "a=mid:1", "a=sctp-port:5000", "",
        ].joined(separator: "\r\n")
    }

    /// Completes the connection after admission.
    func connect() {
        send(.offer(sdp: offer()))
        peer(.peerConnected)
        peer(.peerControlOpen)
    }

    /// Events of the peer connection that the host's driver reports.
    enum PeerNews {
        case peerRefused(String)
        case peerConnected
        case peerControlOpen
        case peerMessage([UInt8], RemoteChannel)
        case peerKeyframeNeeded
        case peerEstimate(Bitrate)
        case peerLost
        case peerLeft
    }

    func peer(_ news: PeerNews) {
        switch news {
        case .peerRefused(let why): world.tell(.web(id, .peerRefused(why)))
        case .peerConnected: event(.state(.connected))
        case .peerControlOpen:
            for channel in RemoteChannel.allCases {
                event(
                    .channelOpened(
                        Self.number(of: channel), DataChannelDescription(label: channel.rawValue), isByPeer: true))
            }
        case .peerMessage(let bytes, let channel): event(.message(Self.number(of: channel), .text(bytes)))
        case .peerKeyframeNeeded:
            if let track = hostPeer?.transceivers.first?.id { event(.media(.keyframeNeeded(track))) }
        case .peerEstimate(let bitrate): event(.media(.estimatedBitrate(bitrate)))
        case .peerLost:
            event(.failed(.noPath))
            event(.state(.failed))
        case .peerLeft: event(.channelClosed(Self.number(of: .control)))
        }
    }

    private func event(_ event: PeerConnectionEvent) { world.tell(.web(id, .peerEvent(event))) }

    private static func number(of channel: RemoteChannel) -> PeerChannelID {
        PeerChannelID(rawValue: RemoteChannel.allCases.firstIndex(of: channel) ?? 0)
    }

    func does(_ message: ViewerMessage, by channel: RemoteChannel? = nil) {
        peer(.peerMessage(message.serialised(), channel ?? message.channel))
    }

    // MARK: Messages from the host

    func take(_ output: WebOutput) {
        switch output {
        case .send(let bytes):
            guard let message = try? SignalingMessage(parsing: bytes) else { return }
            received.append(message)
            if case .welcome(let welcome) = message {
                hostNonce = welcome.nonce
                hostFingerprint = welcome.fingerprint
            }
        case .close: isClosed = true
        case .peer(.open(let peer)):
            hostPeer = peer
            peer.handle(.localCandidate(.host(Self.hostAddress)), now: world.now)
            peer.handle(.localCandidatesEnded, now: world.now)
            drainPeer()
            world.host.handle(.web(id, .peerOpened), now: world.now)
        case .peer(.run): drainPeer()
        case .peer(.send(let bytes, let channel)): hear(bytes, RemoteChannel.allCases[channel.rawValue])
        case .peer(.close):
            isPeerClosed = true
            world.host.handle(.web(id, .peerReleased), now: world.now)
        }
    }

    /// Passes the time to the host's peer engine.
    func tickPeer() {
        hostPeer?.tick(now: world.now)
        drainPeer()
    }

    private static let hostAddress = TransportAddress(.v4(0x0A00_0001), port: 5000)

    private func drainPeer() {
        while let output = hostPeer?.poll() {
            switch output {
            case .event(let event): world.host.handle(.web(id, .peerEvent(event)), now: world.now)
            case .datagram(let bytes, _, let to): datagrams.append((bytes, to))
            case .resolve, .connect, .server: break
            }
        }
    }

    func hear(_ bytes: [UInt8], _ channel: RemoteChannel) {
        guard let message = try? HostMessage(parsing: bytes) else { return }
        told.append(message)
        channels.append(channel)
        if case .ticket(let ticket) = message { self.ticket = ticket }
        if case .paired(let device, let secret) = message { pairing = (device, secret) }
    }

    func takeReceived() -> [SignalingMessage] {
        defer { received = [] }
        return received
    }

    func takeTold() -> [HostMessage] {
        defer { told = [] }
        return told
    }

    /// The last control state received.
    var control: ControlState? {
        for case .control(let state) in told.reversed() { return state }
        return nil
    }

    var viewers: [ViewerEntry] {
        for case .viewers(let list) in told.reversed() { return list }
        return []
    }

    /// The browser's viewer number.
    var number: ViewerNumber { viewers.first(where: \.isYou)?.viewer ?? ViewerNumber(0) }
    var state: WebSessionState? { world.host.webState(of: id) }

    var admitted: SignalingMessage.Admitted? {
        for case .admitted(let admitted) in received { return admitted }
        return nil
    }

    var refused: RefusalReason? {
        for case .refused(let reason) in received { return reason }
        return nil
    }

    /// The `about` of each error.
    var errors: [String?] {
        received.compactMap { if case .error(let report) = $0 { .some(report.about) } else { nil } }
    }
}
