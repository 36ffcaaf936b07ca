import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession
import HelioSimulation

/// The endpoint for players on virtual time, with an encoder that follows its requests, and each connection's received
/// data.
final class PlayWorld {
    static let screen = "rtsp://10.0.0.1:8554/screen"
    static let video = screen + "/video"
    /// The year 2026, as time since 1900.
    static let clockOffset = Duration.seconds(3_976_000_000)

    let host: RTSPPlayServer
    private(set) var now = Instant.zero
    private(set) var events: [RTSPPlayServer.Event] = []
    private(set) var closed: Set<ConnectionID> = []
    /// The RTP and RTCP packets sent to each connection, over either transport.
    private(set) var media: [ConnectionID: [[UInt8]]] = [:]
    private(set) var reports: [ConnectionID: [[UInt8]]] = [:]
    private(set) var ports: [ConnectionID: Set<UInt16>] = [:]
    /// The bytes that the system has not accepted for each stuck connection.
    private(set) var unsent: [ConnectionID: Int] = [:]
    var stuck: Set<ConnectionID> = []
    /// True if the encoder runs when it is requested.
    var encodes = true
    var encoder = TestEncoder(seed: 3)
    private(set) var isWatched = false
    /// The successive demands for encoded sound.
    private(set) var soundWanted: [[SoundOrigin: SoundDemand]] = []
    private(set) var keyframes = 0

    private var wantsKeyframe = false
    private var parsers: [ConnectionID: RTSPParser] = [:]
    private var responses: [ConnectionID: [RTSPResponse]] = [:]
    private var sequence = 0

    init(
        credentials: ServerCredentials? = nil, format: VideoFormat = .test, sound: SoundEncode? = nil,
        connectionLimit: Int = 32
    ) {
        host = RTSPPlayServer(
            .init(
                format: format, sound: sound, credentials: credentials, clockOffset: Self.clockOffset,
                connectionLimit: connectionLimit),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 5), now: .zero)
        host.setMediaPort(6970)
    }

    static func id(_ number: UInt64) -> ConnectionID { ConnectionID(number) }

    func connect(_ id: ConnectionID, from address: String = "10.0.0.2") {
        parsers[id] = RTSPParser()
        closed.remove(id)
        host.handle(.connected(id, address: address), now: now)
        drain()
    }

    func disconnect(_ id: ConnectionID) {
        host.handle(.disconnected(id), now: now)
        drain()
    }

    func say(_ bytes: [UInt8], on id: ConnectionID) {
        host.handle(.received(id, bytes), now: now)
        drain()
    }

    func say(_ text: String, on id: ConnectionID) { say(Array(text.utf8), on: id) }

    func report(_ bytes: [UInt8]) {
        host.handle(.reports(bytes), now: now)
        drain()
    }

    func change(_ format: VideoFormat) {
        host.handle(.format(format), now: now)
        drain()
    }

    /// Passes a packet of sound to the host.
    func hear(_ sound: EncodedSound) {
        host.handle(.sound(sound), now: now)
        drain()
    }

    /// Makes the system accept the bytes held by a stuck connection.
    func unstick(_ id: ConnectionID) {
        stuck.remove(id)
        host.handle(.written(id, unsent[id, default: 0]), now: now)
        unsent[id] = 0
        drain()
    }

    /// Sends a request; returns its response, `nil` if there is none.
    @discardableResult
    func ask(
        _ method: RTSPMethod, _ uri: String, _ headers: RTSPHeaders = [:], body: [UInt8] = [], on id: ConnectionID
    ) -> RTSPResponse? {
        sequence += 1
        var all: RTSPHeaders = ["CSeq": "\(sequence)"]
        for field in headers.fields { all.append(field.name, field.value) }
        say(RTSPRequest(method, uri: uri, headers: all, body: body).serialised(), on: id)
        let answer = takeResponses(id).last
        return answer?.headers.sequence == UInt32(sequence) ? answer : nil
    }

    func takeResponses(_ id: ConnectionID) -> [RTSPResponse] {
        defer { responses[id] = [] }
        return responses[id, default: []]
    }

    /// Performs a player's whole dialogue up to its first keyframe; returns the session identifier.
    @discardableResult
    func play(_ id: ConnectionID, transport: String = "RTP/AVP/TCP;unicast;interleaved=0-1") -> String {
        connect(id)
        ask(.describe, Self.screen, on: id)
        let setup = ask(.setup, Self.video, ["Transport": transport], on: id)
        let session = setup?.headers.session?.id ?? "none"
        ask(.play, Self.screen, ["Session": session], on: id)
        // Keyframe requests have a minimum interval.
        advance(.milliseconds(100))
        return session
    }

    /// Encodes one picture.
    func frame(keyframe: Bool = false) {
        for slice in encoder.frame(keyframe: keyframe, now: now) { host.handle(.slice(slice), now: now) }
        if keyframe { keyframes += 1 }
        drain()
    }

    /// Advances the time; everything due happens at its instant.
    func advance(_ duration: Duration) {
        let end = now + duration
        var steps = 0
        while let deadline = host.deadline, deadline.at <= end {
            now = max(now, deadline.at)
            host.tick(now: now)
            drain()
            steps += 1
            precondition(steps < 100_000, "a deadline that never passes: \(deadline.why)")
        }
        now = end
    }

    private func drain() {
        repeat {
            while let output = host.poll() { take(output) }
            guard encodes, isWatched, wantsKeyframe else { return }
            wantsKeyframe = false
            keyframes += 1
            for slice in encoder.frame(keyframe: true, now: now) { host.handle(.slice(slice), now: now) }
        } while true
    }

    private func take(_ output: RTSPServerOutput<RTSPPlayServer.Event>) {
        switch output {
        case .send(let id, let bytes):
            receive(bytes, id)
            if stuck.contains(id) {
                unsent[id, default: 0] += bytes.count
            } else {
                host.handle(.written(id, bytes.count), now: now)
            }
        case .close(let id): closed.insert(id)
        case .datagram(let bytes, let channel, let id, let port):
            if channel == .rtp { media[id, default: []].append(bytes) } else { reports[id, default: []].append(bytes) }
            ports[id, default: []].insert(port)
        case .listen, .stopListening: preconditionFailure("media goes out alone")
        case .event(.soundWanted(let wanted)): soundWanted.append(wanted)
        case .event(let event):
            switch event {
            case .watched(let watched): isWatched = watched
            case .keyframeNeeded: wantsKeyframe = true
            default: break
            }
            events.append(event)
        }
    }

    private func receive(_ bytes: [UInt8], _ id: ConnectionID) {
        parsers[id, default: RTSPParser()].append(bytes)
        while let message = try? parsers[id]?.next() {
            switch message {
            case .response(let response): responses[id, default: []].append(response)
            case .interleaved(let channel, let data):
                if channel % 2 == 0 {
                    media[id, default: []].append(data)
                } else {
                    reports[id, default: []].append(data)
                }
            case .request: preconditionFailure("the host asks nothing of players")
            }
        }
    }

    /// The RTCP packets sent to a connection.
    func heard(_ id: ConnectionID) -> [RTCPPacket] {
        reports[id, default: []].flatMap { RTCPPacket.parseCompound($0.span.bytes) ?? [] }
    }

    func packets(_ id: ConnectionID) -> [RTPHeader] {
        media[id, default: []].compactMap { RTPHeader.parse($0.span.bytes) }
    }

    var frameRequests: Int {
        events.count {
            if case .frameNeeded = $0 { true } else { false }
        }
    }

    var keyframeRequests: Int {
        events.count {
            if case .keyframeNeeded = $0 { true } else { false }
        }
    }

    var left: [String] {
        events.compactMap {
            if case .left(_, let reason) = $0 { reason } else { nil }
        }
    }
}
