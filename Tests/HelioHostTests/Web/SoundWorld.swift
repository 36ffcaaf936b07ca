import HelioAdmission
import HelioCore
import HelioICE
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioRTP
import HelioRemote
import HelioRemoteWire
import HelioSCTP
import HelioSession
import HelioSimulation
import Testing

@testable import HelioHost

/// A host and a browser with a real connection: ICE, DTLS, channels and media between two engines, on virtual time and
/// a link with delay.
final class SoundWorld {
    static let viewerCertificates: OpenSSLDTLS = {
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            preconditionFailure("no certificate: \(error)")
        }
    }()
    private static let viewerAddress = TransportAddress(.v4(0x0A00_0007), port: 6000)
    private static let hostAddress = TransportAddress(.v4(0x0A00_0001), port: 5000)
    private static let viewer = ConnectionID(1)
    private static let begun: Int64 = 960_000
    private static let dependencies =
        "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"

    let host: SourceHost
    let control: HostControl
    /// The browser's peer engine.
    let engine: PeerEngine
    private(set) var now = Instant.zero + .seconds(100)
    private var hostPeer: PeerEngine?
    private var hostNonce: [UInt8] = []
    private var channels: [RemoteChannel: PeerChannelID] = [:]
    private var toHost: [(at: Instant, bytes: [UInt8])] = []
    private var toViewer: [(at: Instant, bytes: [UInt8])] = []
    /// The messages received on the browser's channels.
    private(set) var told: [HostMessage] = []
    /// The received sound packets, with the transceiver of each.
    private(set) var packets: [(packet: ReceivedPacket, track: Transceiver.ID)] = []
    private(set) var frames = 0
    /// The RTP timestamp of the last received frame.
    private(set) var lastTimestamp: UInt32?
    /// The host's requests for pictures, as text.
    private(set) var pictureWishes: [String] = []
    private(set) var demands: [[SoundOrigin: SoundDemand]] = []
    private(set) var events: [String] = []
    /// Every n-th packet to the browser is lost, counting from one; 0 loses none.
    var losesEach = 0
    /// The one-way delay in either direction.
    var delay = Duration.milliseconds(10)
    /// The share of packets lost in either direction.
    var loss = 0.0
    private var lossGenerator = SeededGenerator(seed: 11)
    /// Called with the input to be injected.
    var injects: ([InjectedInput]) -> Void = { _ in }
    /// Called with each message of the host on any channel.
    var hears: (HostMessage) -> Void = { _ in }
    private var sentToViewer = 0
    private var encoder = TestEncoder(seed: 3)
    /// The media time of the sound, in sample frames.
    private(set) var mediaTime = SoundWorld.begun

    var fingerprint: [UInt8] { Array(Self.viewerCertificates.fingerprint.bytes) }

    init(
        sound: Set<SoundOrigin> = [.system], startBitrate: Bitrate? = .megabits(20), takesRedundancy: Bool = true,
        knowsDependencies: Bool = false
    ) throws {
        var settings = SourceHost.Settings(
            format: .test, allowsControl: true, codecs: [.h264], name: "tower",
            web: WebSettings(fingerprint: [UInt8](repeating: 3, count: 32)) { configuration, now in
                var configuration = configuration
                configuration.startBitrate = startBitrate
                return PeerEngine(
                    configuration, crypto: OpenSSLCrypto(), certificates: WebWorld.certificates,
                    random: SeededGenerator(seed: 7), now: now)
            })
        settings.sound = sound
        host = SourceHost(
            settings, fingerprint: Array(repeating: 9, count: 32), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: 1), now: now)
        control = HostControl(screen: PixelSize(width: 1000, height: 500), crypto: OpenSSLCrypto())
        var browser = PeerConnectionConfiguration()
        // Chromium offers RED, too.
        if takesRedundancy { browser.codecs.append(.red) }
        if knowsDependencies {
            browser.headerExtensions.removeAll { $0.uri == Self.dependencies }
            browser.headerExtensions.append(HeaderExtensionCapability(Self.dependencies, [.video]))
        }
        engine = PeerEngine(
            browser, crypto: OpenSSLCrypto(), certificates: Self.viewerCertificates,
            random: SeededGenerator(seed: 8), now: now)
        try join()
    }

    private func join() throws {
        try engine.addReceiver(.video, now: now)
        for channel in RemoteChannel.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            var description = DataChannelDescription(label: channel.rawValue)
            // Opened with the same parameters as by the page.
            if channel == .moves {
                description.isOrdered = false
                description.reliability = .retransmissions(0)
            }
            channels[channel] = try engine.openChannel(description, now: now)
        }
        engine.handle(.localCandidate(.host(Self.viewerAddress)), now: now)
        engine.handle(.localCandidatesEnded, now: now)
        let nonce = [UInt8](repeating: 8, count: 16)
        say(.connected(address: "10.0.0.7"))
        signal(.hello(.init(nonce: nonce, fingerprint: fingerprint, name: "Firefox", isVisit: false)))
        let binding = try WebBinding.digest(
            host: [UInt8](repeating: 3, count: 32), viewer: fingerprint, crypto: OpenSSLCrypto())
        let proof = try #require(
            LinkProof(secret: host.linkSecret, binding: binding, clientNonce: nonce, hostNonce: hostNonce))
        signal(.join(.init(proof: try proof.proof(by: .viewer, crypto: OpenSSLCrypto()), device: nil)))
        signal(.offer(sdp: try engine.makeOffer(now: now)))
        try run(for: .seconds(5)) { self.told.contains { $0.type == "viewers" } }
    }

    private func signal(_ message: SignalingMessage) { say(.received(message.serialised())) }

    func say(_ input: WebInput) {
        host.handle(.web(Self.viewer, input), now: now)
        drain()
    }

    /// Sends a message to the host on one of the channels.
    func does(_ message: ViewerMessage, by channel: RemoteChannel = .control) throws {
        try engine.send(.text(message.serialised()), on: try #require(channels[channel]), now: now)
        drain()
    }

    /// Requests sound as the page does: adds audio sections, and sends an offer.
    func askForSound(_ count: Int = 1, inStep: Bool = false) throws {
        for _ in 0..<count { try engine.addReceiver(.audio, now: now) }
        try offer(inStep: inStep)
        let before = answers
        try run(for: .seconds(2)) { self.answers > before }
        try run(for: .milliseconds(100))
    }

    func offer(inStep: Bool = false, change: (String) -> String = { $0 }) throws {
        try does(.audioOffer(sdp: change(try engine.makeOffer(now: now)), inStep: inStep))
    }

    var answers: Int { told.count { $0.type == "audioAnswer" } }
    var errors: [RemoteErrorReport] { told.compactMap { if case .error(let report) = $0 { report } else { nil } } }
    /// The sound that the host currently requests from the pipeline.
    var demand: [SoundOrigin: SoundDemand] { demands.last ?? [:] }
    var outbound: PeerEngine? { hostPeer }

    // MARK: Sending

    /// Passes a packet of sound to the host as the pipeline does, by default of the requested encode.
    func hear(
        _ origin: SoundOrigin = .system, _ encode: SoundEncode? = nil, bytes: Int = 80, beginsTalk: Bool = false
    ) {
        let encode = encode ?? demand[origin]?.encodes.first ?? .opus
        let frames = Self.frames(of: encode)
        let sound = EncodedSound(
            origin: origin, encode: encode, payload: [0xFC] + [UInt8](repeating: 7, count: bytes - 1),
            mediaTime: mediaTime, frames: frames, captured: now - .milliseconds(10), beginsTalk: beginsTalk)
        host.handle(.sound(sound), now: now)
        drain()
        mediaTime += Int64(frames)
    }

    private static func frames(of encode: SoundEncode) -> Int {
        Int(encode.packetDuration.nanoseconds * 48 / 1_000_000)
    }

    /// Passes sound of this duration to the host: packets of each requested encode, with consistent times.
    func hear(for duration: Duration, _ origin: SoundOrigin = .system) throws {
        let end = now + duration
        while now < end {
            let time = mediaTime
            let wanted = (demand[origin]?.encodes ?? []).sorted { $0.packetDuration < $1.packetDuration }
            for encode in wanted where (time - Self.begun) % Int64(Self.frames(of: encode)) == 0 {
                mediaTime = time
                hear(origin, encode)
            }
            mediaTime = time + Int64(Self.frames(of: .opus))
            try run(for: SoundEncode.opus.packetDuration)
        }
    }

    func show(keyframe: Bool, repairsSince: UInt64? = nil, sliceBytes: Int = 900) {
        encoder.sliceBytes = sliceBytes
        for slice in encoder.frame(keyframe: keyframe, repairsSince: repairsSince, now: now) {
            host.handle(.slice(slice), now: now)
            drain()
        }
    }

    func takePictureWishes() -> [String] {
        defer { pictureWishes = [] }
        return pictureWishes
    }

    func takePackets() -> [(packet: ReceivedPacket, track: Transceiver.ID)] {
        defer { packets = [] }
        return packets
    }

    // MARK: Time

    func run(for duration: Duration, until: () -> Bool = { false }) throws {
        let end = now + duration
        drain()
        while !until() {
            let engines = [host.deadline, control.deadline, engine.deadline, hostPeer?.deadline].compactMap { $0?.at }
            let ways = [toHost.first?.at, toViewer.first?.at].compactMap { $0 }
            guard let next = (engines + ways).min(), next <= end else { break }
            now = max(now, next)
            while let (at, bytes) = toHost.first, at <= now {
                toHost.removeFirst()
                hostPeer?.handle(.datagram(bytes, from: Self.viewerAddress, onLocal: Self.hostAddress), now: now)
            }
            while let (at, bytes) = toViewer.first, at <= now {
                toViewer.removeFirst()
                engine.handle(.datagram(bytes, from: Self.hostAddress, onLocal: Self.viewerAddress), now: now)
            }
            for deadline in [host.deadline] where deadline.map({ $0.at <= now }) ?? false { host.tick(now: now) }
            if let due = control.deadline, due.at <= now { control.tick(now: now) }
            if let due = engine.deadline, due.at <= now { engine.tick(now: now) }
            if let due = hostPeer?.deadline, due.at <= now { hostPeer?.tick(now: now) }
            drain()
        }
        if !until() { now = max(now, end) }
    }

    private func drain() {
        var isDone = false
        while !isDone {
            isDone = true
            while let output = host.poll() {
                isDone = false
                take(output)
            }
            while let output = control.poll() {
                isDone = false
                take(output)
            }
            while let output = hostPeer?.poll() {
                isDone = false
                switch output {
                case .datagram(let bytes, _, _):
                    sentToViewer += 1
                    if losesEach > 0, sentToViewer.isMultiple(of: losesEach) { continue }
                    if !isLost { toViewer.append((now + delay, bytes)) }
                case .event(let event): host.handle(.web(Self.viewer, .peerEvent(event)), now: now)
                case .resolve, .connect, .server: break
                }
            }
            while let output = engine.poll() {
                isDone = false
                take(output)
            }
        }
    }

    private func take(_ output: SourceHost.Output) {
        switch output {
        case .web(_, .send(let bytes)): hear(bytes)
        case .web(_, .peer(.open(let peer))):
            hostPeer = peer
            peer.handle(.localCandidate(.host(Self.hostAddress)), now: now)
            peer.handle(.localCandidatesEnded, now: now)
            host.handle(.web(Self.viewer, .peerOpened), now: now)
        case .web(_, .peer(.send(let bytes, let channel))):
            do {
                try hostPeer?.send(.text(bytes), on: channel, now: now)
            } catch {
                host.handle(.web(Self.viewer, .peerUnread(channel)), now: now)
            }
        case .web: break
        case .control(let input): control.handle(input, now: now)
        case .event(.soundWanted(let demand)): demands.append(demand)
        case .event(.left(_, _, _, let reason)): events.append("left: \(reason)")
        case .event(.keyframeNeeded): pictureWishes.append("keyframe")
        case .event(.repairNeeded(let since, _, _)): pictureWishes.append("repair since \(since)")
        case .event, .send, .close, .media, .sources, .voice, .clipboard, .files: break
        }
    }

    private func take(_ output: HostControl.Output) {
        switch output {
        case .web(let id, let bytes, let channel): host.handle(.tellWeb(id, bytes, channel), now: now)
        case .inject(let inputs): injects(inputs)
        case .datagram, .inside, .selectMonitor, .driver: break
        }
    }

    private var isLost: Bool { loss > 0 && lossGenerator.unit() < loss }

    private func take(_ output: PeerEngine.Output) {
        switch output {
        case .datagram(let bytes, _, _): if !isLost { toHost.append((now + delay, bytes)) }
        case .event(.candidate(let text)):
            signal(
                .candidate(text.map { TrickledCandidate(candidate: $0, sdpMid: nil, sdpMLineIndex: 0) }))
        case .event(.message(_, let message)):
            guard let message = try? HostMessage(parsing: message.bytes) else { return }
            told.append(message)
            hears(message)
            if case .audioAnswer(let sdp) = message {
                #expect(throws: Never.self) { try engine.takeAnswer(sdp, now: now) }
            }
        case .event(.media(.packet(let packet, let track))): packets.append((packet, track))
        case .event(.media(.frame(let frame, _))):
            frames += 1
            lastTimestamp = UInt32(truncatingIfNeeded: frame.mediaTime)
        case .event, .resolve, .connect, .server: break
        }
    }

    private func hear(_ bytes: [UInt8]) {
        switch try? SignalingMessage(parsing: bytes) {
        case .welcome(let welcome): hostNonce = welcome.nonce
        case .answer(let sdp): #expect(throws: Never.self) { try engine.takeAnswer(sdp, now: now) }
        case .candidate(let candidate): try? engine.addCandidate(candidate?.candidate, now: now)
        default: break
        }
    }
}
