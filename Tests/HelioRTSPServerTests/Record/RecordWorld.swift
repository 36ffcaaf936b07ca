import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession
import HelioSimulation

/// The endpoint for publishers on virtual time, and scripted publishers.
final class RecordWorld {
    static let uri = "rtsp://10.0.0.1:8554/live"
    static let description = """
        v=0\r
        o=- 0 0 IN IP4 127.0.0.1\r
        s=No Name\r
        c=IN IP4 127.0.0.1\r
        t=0 0\r
        m=audio 0 RTP/AVP 97\r
        a=rtpmap:97 MPEG4-GENERIC/44100/1\r
        a=control:streamid=0\r
        m=video 0 RTP/AVP 97\r
        a=rtpmap:97 H264/90000\r
        a=fmtp:97 packetization-mode=1;sprop-parameter-sets=Z2QAKqw=,aO48gA==\r
        a=control:streamid=1\r\n
        """
    static let video = uri + "/streamid=1"
    static let audio = uri + "/streamid=0"
    static let tcp = "RTP/AVP/TCP;unicast;interleaved=2-3;mode=record"
    static let udp = "RTP/AVP/UDP;unicast;client_port=5000-5001;mode=record"

    let host: RTSPRecordServer
    private(set) var now = Instant.zero
    private(set) var closed: Set<ConnectionID> = []
    private(set) var frames: [ReceivedFrame] = []
    /// All events but frames, as text.
    private(set) var events: [String] = []
    private(set) var aim: (id: ConnectionID, rtp: UInt16, rtcp: UInt16)?
    private(set) var soundAim: (id: ConnectionID, rtp: UInt16, rtcp: UInt16)?
    private(set) var sounds: [ReceivedSound] = []
    private(set) var clocks: [SoundClock] = []
    /// The events of sound, as text.
    private(set) var heard: [String] = []
    /// The RTCP packets to publishers, over either transport.
    private(set) var reports: [RTCPPacket] = []
    var packetizer = RTPPacketizer.plain(firstSequence: 100)
    private var encoder = TestEncoder(seed: 3)
    private var timestamp: UInt32 = 0
    private var parsers: [ConnectionID: RTSPParser] = [:]
    private var responses: [ConnectionID: [RTSPResponse]] = [:]
    private var sequence = 0
    /// True if the system accepts no bytes for sending.
    var isStuck = false
    private(set) var unsent = 0

    init(credentials: ServerCredentials? = nil, connectionLimit: Int = 16) {
        host = RTSPRecordServer(
            .init(credentials: credentials, connectionLimit: connectionLimit), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: 5))
        host.setMediaPort(6970)
    }

    static func id(_ number: UInt64) -> ConnectionID { ConnectionID(number) }

    func connect(_ id: ConnectionID) {
        parsers[id] = RTSPParser()
        closed.remove(id)
        feed(.connected(id, address: "10.0.0.2"))
    }

    func feed(_ input: RTSPRecordServer.Input) {
        host.handle(input, now: now)
        drain()
    }

    @discardableResult
    func ask(
        _ method: RTSPMethod, _ uri: String = RecordWorld.uri, _ headers: RTSPHeaders = [:], body: [UInt8] = [],
        on id: ConnectionID
    ) -> RTSPResponse? {
        sequence += 1
        var all: RTSPHeaders = ["CSeq": "\(sequence)"]
        for field in headers.fields { all.append(field.name, field.value) }
        feed(.received(id, RTSPRequest(method, uri: uri, headers: all, body: body).serialised()))
        return takeResponses(id).last { $0.headers.sequence == UInt32(sequence) }
    }

    func takeResponses(_ id: ConnectionID) -> [RTSPResponse] {
        defer { responses[id] = [] }
        return responses[id, default: []]
    }

    @discardableResult
    func announce(_ text: String = description, type: String? = "application/sdp", on id: ConnectionID) -> RTSPStatus? {
        ask(.announce, Self.uri, type.map { ["Content-Type": $0] } ?? [:], body: Array(text.utf8), on: id)?.status
    }

    @discardableResult
    func setUp(_ uri: String = video, _ transport: String = tcp, on id: ConnectionID) -> RTSPResponse? {
        ask(.setup, uri, ["Transport": transport], on: id)
    }

    /// Performs a publisher's whole dialogue, up to RECORD.
    func publish(_ id: ConnectionID, _ transport: String = tcp) {
        connect(id)
        announce(on: id)
        let session = setUp(Self.video, transport, on: id)?.headers["Session"] ?? "none"
        ask(.record, Self.uri, ["Session": session, "Range": "npt=0.000-"], on: id)
    }

    /// Returns the packets of the publisher's next frame.
    func packets(keyframe: Bool = false) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        for slice in encoder.frame(keyframe: keyframe, now: now) {
            packetizer.packetize(slice, timestamp: timestamp, sent: now, reserve: 0) { _, bytes, _ in
                packets.append(bytes)
            }
        }
        timestamp &+= 3600
        return packets
    }

    func frame(keyframe: Bool = false, on id: ConnectionID? = nil) {
        for packet in packets(keyframe: keyframe) { send(packet, on: id) }
    }

    /// - Parameter id: the connection that carries the packet; `nil` for UDP.
    func send(_ packet: [UInt8], _ channel: RTPChannel = .rtp, on id: ConnectionID?) {
        if let id {
            feed(.received(id, RTSPMessage.interleaved(channel: channel == .rtp ? 2 : 3, packet).serialised()))
        } else {
            feed(.datagram(packet, channel))
        }
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

    var indices: [UInt64?] { frames.map { TestEncoder.index(of: $0) } }

    var pictureLosses: Int {
        reports.count {
            if case .pictureLoss = $0 { true } else { false }
        }
    }

    private func drain() {
        while let output = host.poll() {
            switch output {
            case .send(let id, let bytes):
                receive(bytes, id)
                if isStuck { unsent += bytes.count } else { host.handle(.written(id, bytes.count), now: now) }
            case .close(let id): closed.insert(id)
            case .listen(let id, .video, let rtp, let rtcp): aim = (id, rtp, rtcp)
            case .listen(let id, .sound, let rtp, let rtcp): soundAim = (id, rtp, rtcp)
            case .stopListening(.video): aim = nil
            case .stopListening(.sound): soundAim = nil
            case .datagram(let bytes, _, let id, let port):
                let ports = [aim, soundAim].compactMap { $0 }.filter { $0.id == id }.flatMap { [$0.rtp, $0.rtcp] }
                precondition(ports.contains(port), "a datagram to nobody")
                reports += RTCPPacket.parseCompound(bytes.span.bytes) ?? []
            case .event(.frame(let frame)): frames.append(frame)
            case .event(.sound(let sound)): sounds.append(sound)
            case .event(.soundClock(let clock)): clocks.append(clock)
            case .event(.soundFormat(let codec, let format, let configuration)):
                heard.append("\(codec.rawValue) \(format.sampleRate)/\(format.channels) \(configuration)")
            case .event(.noSound(let reason)): heard.append("none: \(reason)")
            case .event(.playing(_, _, let isInterleaved)):
                events.append(isInterleaved ? "playing, tcp" : "playing, udp")
            case .event(.left(_, let reason)): events.append("left: \(reason)")
            case .event(.refused(_, let reason)): events.append("refused: \(reason)")
            }
        }
    }

    private func receive(_ bytes: [UInt8], _ id: ConnectionID) {
        parsers[id, default: RTSPParser()].append(bytes)
        while let message = try? parsers[id]?.next() {
            switch message {
            case .response(let response): responses[id, default: []].append(response)
            case .interleaved(_, let data): reports += RTCPPacket.parseCompound(data.span.bytes) ?? []
            case .request: preconditionFailure("the host asks nothing of publishers")
            }
        }
    }
}
