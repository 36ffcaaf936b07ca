import HelioAdmission
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
import HelioSDP
import HelioSession
import HelioSimulation

/// A host and a browser with a peer connection over a simulated network: a complete join except for sockets.
final class JoinWorld {
    private static let certificates: [OpenSSLDTLS] = (0..<2).map { _ in
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            preconditionFailure("no certificate: \(error)")
        }
    }
    private static let id = ConnectionID(7)
    private static let nonce = [UInt8](repeating: 8, count: 16)
    private static let hostAddress = TransportAddress(.v4(0x0A00_0001), port: 5000)
    private static let browserAddress = TransportAddress(.v4(0x0A00_0002), port: 6000)
    private static let frameTime = Duration.milliseconds(16)

    private enum Word {
        case toHost([UInt8])
        case toBrowser([UInt8])
    }

    let host: SourceHost
    let control: HostControl
    let browser: PeerEngine
    private(set) var now = Instant.zero + .seconds(100)
    let began = Instant.zero + .seconds(100)
    var toHost: SimulatedLink
    var toBrowser: SimulatedLink
    /// The messages in transit by WebSocket, which is reliable.
    private var words: [(at: Instant, word: Word)] = []
    private var hostPeer: PeerEngine?
    private var encoder = TestEncoder(seed: 7)
    private var nextFrame: Instant?
    private var wantsKeyframe = false

    private(set) var isSocketOpen = true
    private(set) var events: [SourceHost.Event] = []
    private(set) var injected: [InjectedInput] = []
    private(set) var refused: RefusalReason?
    /// The received pictures, and the arrival time of the first.
    private(set) var frames: [UInt64] = []
    private(set) var firstFrame: Instant?
    private(set) var told: [HostMessage] = []
    private var channels: [RemoteChannel: PeerChannelID] = [:]
    private(set) var openChannels: Set<RemoteChannel> = []

    init(_ conditions: LinkConditions, seed: UInt64 = 1) {
        let start = began
        let certificates = Self.certificates
        toHost = SimulatedLink(conditions, seed: seed)
        toBrowser = SimulatedLink(conditions, seed: seed &+ 1)
        var configuration = PeerConnectionConfiguration()
        configuration.mostBitrate = VideoFormat.test.bitrate
        let web = WebSettings(
            fingerprint: certificates[0].fingerprint.bytes, configuration: configuration
        ) { configuration, now in
            PeerEngine(
                configuration, crypto: OpenSSLCrypto(), certificates: certificates[0],
                random: SeededGenerator(seed: seed &+ 2), now: now)
        }
        host = SourceHost(
            .init(format: .test, allowsControl: true, web: web), fingerprint: Array(repeating: 9, count: 32),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed &+ 3), now: start)
        control = HostControl(screen: PixelSize(width: 1000, height: 500), crypto: OpenSSLCrypto())
        browser = PeerEngine(
            PeerConnectionConfiguration(), crypto: OpenSSLCrypto(), certificates: certificates[1],
            random: SeededGenerator(seed: seed &+ 4), now: start)
        host.handle(.web(Self.id, .connected(address: "10.0.0.2")), now: now)
        drainHost()
        say(.hello(.init(nonce: Self.nonce, fingerprint: certificates[1].fingerprint.bytes, name: "Firefox")))
    }

    var state: WebSessionState? { host.webState(of: Self.id) }
    /// The statistics of the first viewer.
    var viewer: SourceHost.Statistics.Viewer? { host.statistics.viewers.first }

    // MARK: The browser user's actions

    func does(_ message: ViewerMessage) throws {
        guard let channel = channels[message.channel] else { return }
        try browser.send(.text(message.serialised()), on: channel, now: now)
        drainBrowser()
    }

    func leave() {
        browser.close(now: now)
        drainBrowser()
    }

    // MARK: Time

    func run(_ duration: Duration) throws { try run(duration) { false } }

    /// Runs until the condition is true, at most for this time.
    func run(_ duration: Duration, until isSo: () -> Bool) throws {
        let end = now + duration
        while !isSo() {
            let network = [toHost.deadline?.at, toBrowser.deadline?.at, words.first?.at, nextFrame].compactMap { $0 }
            let engines = [host.deadline, control.deadline, browser.deadline, hostPeer?.deadline].compactMap { $0?.at }
            guard let next = (network + engines).min(), next <= end else { break }
            now = max(now, next)
            try step()
        }
        now = max(now, min(end, now))
        if !isSo() { now = end }
    }

    private func step() throws {
        while let bytes = toHost.deliver(now: now) {
            hostPeer?.handle(.datagram(bytes, from: Self.browserAddress, onLocal: Self.hostAddress), now: now)
            drainHostPeer()
        }
        while let bytes = toBrowser.deliver(now: now) {
            browser.handle(.datagram(bytes, from: Self.hostAddress, onLocal: Self.browserAddress), now: now)
            drainBrowser()
        }
        while let first = words.first, first.at <= now {
            words.removeFirst()
            switch first.word {
            case .toHost(let bytes):
                host.handle(.web(Self.id, .received(bytes)), now: now)
                drainHost()
            case .toBrowser(let bytes): try hear(bytes)
            }
        }
        if let due = nextFrame, due <= now {
            nextFrame = due + Self.frameTime
            for slice in encoder.frame(keyframe: wantsKeyframe, now: now) { host.handle(.slice(slice), now: now) }
            wantsKeyframe = false
            drainHost()
        }
        if let due = host.deadline?.at, due <= now { host.tick(now: now) }
        if let due = control.deadline?.at, due <= now { control.tick(now: now) }
        if let due = browser.deadline?.at, due <= now { browser.tick(now: now) }
        if let due = hostPeer?.deadline?.at, due <= now { hostPeer?.tick(now: now) }
        drainHostPeer()
        drainHost()
        drainBrowser()
    }

    // MARK: The host, and what its driver does

    private func drainHost() {
        while let output = host.poll() {
            switch output {
            case .web(_, .send(let bytes)): words.append((now + toBrowser.conditions.delay, .toBrowser(bytes)))
            case .web(_, .close): isSocketOpen = false
            case .web(_, .peer(.open(let peer))):
                hostPeer = peer
                peer.handle(.localCandidate(.host(Self.hostAddress)), now: now)
                peer.handle(.localCandidatesEnded, now: now)
                host.handle(.web(Self.id, .peerOpened), now: now)
                drainHostPeer()
            case .web(_, .peer(.run)): drainHostPeer()
            case .web(_, .peer(.send(let bytes, let channel))):
                do {
                    try hostPeer?.send(.text(bytes), on: channel, now: now)
                } catch {
                    host.handle(.web(Self.id, .peerUnread(channel)), now: now)
                }
                drainHostPeer()
            case .web(_, .peer(.close)):
                hostPeer?.close(now: now)
                drainHostPeer()
                hostPeer = nil
                host.handle(.web(Self.id, .peerReleased), now: now)
            case .control(let input):
                control.handle(input, now: now)
                drainControl()
            case .event(let event):
                events.append(event)
                switch event {
                case .watched(let isWatched): nextFrame = isWatched ? now : nil
                case .keyframeNeeded, .repairNeeded: wantsKeyframe = true
                default: break
                }
            case .send, .close, .media, .sources, .voice, .clipboard, .files: break
            }
        }
        drainControl()
    }

    private func drainHostPeer() {
        while let output = hostPeer?.poll() {
            switch output {
            case .datagram(let bytes, _, _): toBrowser.send(bytes, now: now)
            case .event(let event):
                host.handle(.web(Self.id, .peerEvent(event)), now: now)
                drainHost()
            case .resolve, .connect, .server: break
            }
        }
    }

    private func drainControl() {
        while let output = control.poll() {
            switch output {
            case .inject(let inputs): injected += inputs
            case .web(let id, let bytes, let channel):
                host.handle(.tellWeb(id, bytes, channel), now: now)
                drainHost()
            case .selectMonitor, .datagram, .inside, .driver: break
            }
        }
    }

    // MARK: The browser, and what its page does

    private func say(_ message: SignalingMessage) {
        words.append((now + toHost.conditions.delay, .toHost(message.serialised())))
    }

    private func hear(_ bytes: [UInt8]) throws {
        switch try SignalingMessage(parsing: bytes) {
        case .welcome(let welcome):
            let binding = try WebBinding.digest(
                host: welcome.fingerprint, viewer: Self.certificates[1].fingerprint.bytes, crypto: OpenSSLCrypto())
            let proof = LinkProof(
                secret: host.linkSecret, binding: binding, clientNonce: Self.nonce, hostNonce: welcome.nonce)
            say(.join(.init(proof: try proof?.proof(by: .viewer, crypto: OpenSSLCrypto()) ?? [], device: nil)))
        case .admitted:
            for channel in RemoteChannel.allCases {
                var description = DataChannelDescription(label: channel.rawValue)
                if channel == .moves {
                    description.isOrdered = false
                    description.reliability = .retransmissions(0)
                }
                channels[channel] = try browser.openChannel(description, now: now)
            }
            _ = try browser.addReceiver(.video, now: now)
            say(.offer(sdp: try browser.makeOffer(now: now)))
            browser.handle(.localCandidate(.host(Self.browserAddress)), now: now)
            browser.handle(.localCandidatesEnded, now: now)
            drainBrowser()
        case .answer(let sdp):
            try browser.takeAnswer(sdp, now: now)
            drainBrowser()
        case .candidate(let candidate):
            try browser.addCandidate(candidate?.candidate, now: now)
            drainBrowser()
        case .refused(let reason): refused = reason
        default: break
        }
    }

    private func drainBrowser() {
        while let output = browser.poll() {
            switch output {
            case .datagram(let bytes, _, _): toHost.send(bytes, now: now)
            case .event(let event): take(event)
            case .resolve, .connect, .server: break
            }
        }
    }

    private func take(_ event: PeerConnectionEvent) {
        switch event {
        case .candidate(let text):
            say(.candidate(text.map { TrickledCandidate(candidate: $0, sdpMid: nil, sdpMLineIndex: 0) }))
        case .channelOpened(let id, _, _):
            if let channel = channels.first(where: { $0.value == id })?.key { openChannels.insert(channel) }
        case .message(_, let message):
            if let message = try? HostMessage(parsing: message.bytes) { told.append(message) }
        case .media(.frame(let frame, _)):
            if firstFrame == nil { firstFrame = now }
            if let index = TestEncoder.index(of: frame) { frames.append(index) }
        default: break
        }
    }
}
