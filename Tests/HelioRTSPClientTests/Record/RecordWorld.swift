import HelioCore
import HelioOpenSSL
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioRTSPServer
import HelioSimulation

/// A publication and a server on virtual time, with an encoder that follows its requests. Signalling has no delay, and
/// there is a frame every 40 ms.
final class RecordWorld {
    /// The kind of the server.
    enum Peer {
        /// Heliograph's own endpoint for publishers.
        case host(RTSPRecordServer)
        /// A scripted server.
        case server(ScriptedServer)
    }

    static let uri = "rtsp://10.0.0.1:8554/live"
    static let frameTime = Duration.milliseconds(40)
    /// The year 2026, as time since 1900.
    static let clockOffset = Duration.seconds(3_976_000_000)

    let engine: RTSPRecordClient
    private(set) var now = Instant.zero
    private let peer: Peer
    private var connection = ConnectionID(1)

    /// True if the server accepts connections, and whether the network loses everything sent to it.
    var isListening = true
    var isSilent = false
    /// True if the system accepts no bytes for the connection.
    var isStuck = false
    var hasPorts = true
    /// True if the encoder runs, and makes requested keyframes.
    var encodes = true
    /// Bytes sent before each response.
    var junkBefore: () -> [UInt8] = { [] }
    var encoder = TestEncoder(seed: 3)

    /// The events as text.
    private(set) var events: [String] = []
    /// The remedy of the last failure.
    private(set) var remedy: HelioError.Remedy?
    private(set) var isConnected = false
    private(set) var connections = 0
    private(set) var isWatched = false
    private(set) var unsent = 0
    private(set) var keyframes = 0
    private(set) var frameRequests = 0
    /// The frames received by Heliograph's own endpoint.
    private(set) var frames: [ReceivedFrame] = []
    private(set) var shown: [String] = []
    private(set) var sounds: [ReceivedSound] = []
    private(set) var clocks: [SoundClock] = []
    /// The sound formats that the endpoint reports, as text.
    private(set) var heard: [String] = []
    /// The successive demands for encoded sound.
    private(set) var soundWanted: [[SoundOrigin: SoundDemand]] = []
    /// The RTP packets received by a scripted server.
    private(set) var media: [[UInt8]] = []
    private(set) var reports: [RTCPPacket] = []
    /// All bytes sent to the server's connection, to be searched for secrets.
    private(set) var sent: [UInt8] = []
    private var wantsKeyframe = false
    private var nextFrame = Instant.zero

    init(
        _ peer: Peer, address: String = uri, format: VideoFormat = .test, sound: SoundEncode? = nil,
        isInterleavedOnly: Bool = false
    ) throws {
        self.peer = peer
        engine = RTSPRecordClient(
            .init(
                address: try RTSPAddress(parsing: address), format: format, sound: sound,
                isInterleavedOnly: isInterleavedOnly, clockOffset: Self.clockOffset),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 1), now: .zero)
        encoder.codec = format.codec
    }

    static func host(_ credentials: ServerCredentials? = nil) -> RTSPRecordServer {
        let host = RTSPRecordServer(
            .init(credentials: credentials), crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 5))
        host.setMediaPort(6970)
        return host
    }

    func feed(_ event: RTSPLinkEvent) { feed(.link(event)) }

    func feed(_ input: RTSPRecordClient.Input) {
        engine.handle(input, now: now)
        drain()
    }

    func leave() {
        engine.leave(now: now)
        drain()
    }

    /// Ends the server's program with its connections.
    func crash() {
        isListening = false
        hangUp()
    }

    func hangUp() {
        guard isConnected else { return }
        isConnected = false
        if case .host(let host) = peer { host.handle(.disconnected(connection), now: now) }
        feed(.disconnected)
    }

    /// Makes the system accept the bytes held by the stuck connection.
    func unstick() {
        isStuck = false
        let count = unsent
        unsent = 0
        feed(.written(count))
    }

    func run(_ duration: Duration) {
        let end = now + duration
        var steps = 0
        while true {
            let isCoding = encodes && isWatched
            if isCoding { nextFrame = max(nextFrame, now) }
            let hostDeadline: Instant? = if case .host(let host) = peer { host.deadline?.at } else { nil }
            let due = [engine.deadline?.at, hostDeadline, isCoding ? nextFrame : nil].compactMap { $0 }.min()
            guard let due, due <= end else { break }
            now = max(now, due)
            if isCoding, nextFrame <= now {
                nextFrame = now + Self.frameTime
                encode()
            }
            if case .host(let host) = peer { host.tick(now: now) }
            engine.tick(now: now)
            drain()
            steps += 1
            precondition(steps < 1_000_000, "a deadline that never passes: \(engine.deadline?.why ?? "the host's")")
        }
        now = end
    }

    /// Encodes the next frame.
    func encode(keyframe: Bool = false) {
        let isKeyframe = keyframe || wantsKeyframe
        wantsKeyframe = false
        if isKeyframe { keyframes += 1 }
        for slice in encoder.frame(keyframe: isKeyframe, now: now) { engine.handle(.slice(slice), now: now) }
        drain()
    }

    private func drain() {
        repeat {
            while let output = engine.poll() { take(output) }
        } while drainHost()
    }

    private func take(_ output: RTSPClientOutput<RTSPRecordClient.Event>) {
        switch output {
        case .link(.connect):
            connections += 1
            guard isListening else { return engine.handle(.link(.disconnected), now: now) }
            isConnected = true
            connection = ConnectionID(UInt64(connections))
            switch peer {
            case .host(let host): host.handle(.connected(connection, address: "10.0.0.2"), now: now)
            case .server(let server): server.accept()
            }
            engine.handle(.link(.connected), now: now)
        case .link(.send(let bytes)): send(bytes)
        case .link(.close):
            guard isConnected else { return }
            isConnected = false
            unsent = 0
            if case .host(let host) = peer { host.handle(.disconnected(connection), now: now) }
        case .link(.openPorts(let track)):
            let port: UInt16 = track == .video ? 5000 : 5002
            engine.handle(.link(hasPorts ? .portsOpen(rtp: port, rtcp: port + 1) : .portsFailed), now: now)
        case .link(.aim(let track, let rtp, let rtcp)):
            let ports: [UInt16] = if case .host = peer { [6970] } else { [track == .video ? 6000 : 6002] }
            precondition([rtp] == ports && rtcp == rtp + 1)
        case .link(.datagram(let bytes, let channel, let track)):
            guard !isSilent, isListening else { return }
            switch peer {
            case .host(let host): host.handle(.datagram(bytes, channel, track), now: now)
            case .server: hear(bytes, channel)
            }
        case .event(let event): take(event)
        }
    }

    private func take(_ event: RTSPRecordClient.Event) {
        switch event {
        case .published(let isInterleaved): events.append(isInterleaved ? "published, tcp" : "published, udp")
        case .lost(let reason): events.append("lost: \(reason)")
        case .waiting(let reason): events.append("waiting: \(reason)")
        case .failed(let error):
            events.append("failed: \(error.message)")
            remedy = error.remedy
        case .watched(let watched): isWatched = watched
        case .keyframeNeeded: wantsKeyframe = true
        case .frameNeeded: frameRequests += 1
        case .soundWanted(let wanted): soundWanted.append(wanted)
        case .soundRefused(let reason): events.append("no sound: \(reason)")
        }
    }

    private func send(_ bytes: [UInt8]) {
        sent += bytes
        guard isConnected else { return }
        if isStuck {
            unsent += bytes.count
            return
        }
        engine.handle(.link(.written(bytes.count)), now: now)
        guard !isSilent else { return }
        switch peer {
        case .host(let host): host.handle(.received(connection, bytes), now: now)
        case .server(let server):
            for answer in server.receive(bytes) where isConnected {
                engine.handle(.link(.received(junkBefore() + answer)), now: now)
            }
            while let (channel, bytes) = server.takeInterleaved() { hear(bytes, channel == 2 ? .rtp : .rtcp) }
        }
    }

    private func hear(_ bytes: [UInt8], _ channel: RTPChannel) {
        if channel == .rtp { media.append(bytes) } else { reports += RTCPPacket.parseCompound(bytes.span.bytes) ?? [] }
    }

    /// - Returns: whether the host had any output.
    private func drainHost() -> Bool {
        guard case .host(let host) = peer else { return false }
        var hadSome = false
        while let output = host.poll() {
            hadSome = true
            switch output {
            case .send(let id, let bytes):
                host.handle(.written(id, bytes.count), now: now)
                if id == connection, isConnected, !isSilent { engine.handle(.link(.received(bytes)), now: now) }
            case .close(let id):
                if id == connection, isConnected {
                    isConnected = false
                    engine.handle(.link(.disconnected), now: now)
                }
            case .datagram(let bytes, let channel, _, let port):
                let track: PlainTrack = port < 5002 ? .video : .sound
                if !isSilent { engine.handle(.link(.datagram(bytes, channel, track)), now: now) }
            case .listen(_, let track, let rtp, let rtcp):
                precondition((rtp, rtcp) == (track == .video ? (5000, 5001) : (5002, 5003)))
            case .stopListening: break
            case .event(.frame(let frame)): frames.append(frame)
            case .event(.playing(let format, _, let isInterleaved)):
                shown.append("\(format.codec.rawValue), \(isInterleaved ? "tcp" : "udp")")
            case .event(.sound(let sound)): sounds.append(sound)
            case .event(.soundClock(let clock)): clocks.append(clock)
            case .event(.soundFormat(let codec, let format, _)):
                heard.append("\(codec.rawValue) \(format.sampleRate)/\(format.channels)")
            case .event(.noSound(let reason)): heard.append("none: \(reason)")
            case .event(.left(_, let reason)): shown.append("left: \(reason)")
            case .event(.refused(_, let reason)): shown.append("refused: \(reason)")
            }
        }
        return hadSome
    }

    var indices: [UInt64?] { frames.map { TestEncoder.index(of: $0) } }

    var senderReports: [SenderReport] {
        reports.compactMap { if case .senderReport(let report) = $0 { report } else { nil } }
    }
}
