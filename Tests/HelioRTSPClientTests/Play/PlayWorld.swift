import HelioCore
import HelioOpenSSL
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSimulation

/// A player engine and a server on virtual time. Signalling has no delay, and there is a frame every 40 ms.
final class PlayWorld {
    static let frameTime = Duration.milliseconds(40)
    static let keyframeEvery: UInt64 = 25

    let engine: RTSPPlayClient
    let server = ScriptedServer()
    private(set) var now = Instant.zero

    /// The encoder of the server's frames.
    var encoder = TestEncoder(seed: 3)
    var sendsParameterSets = true
    var sendsFrames = true
    /// True if UDP ports are available on this machine.
    var hasPorts = true
    var hasSoundPorts = true
    var packetizer: RTPPacketizer
    var timestamp: UInt32 = 0
    /// Changes the packets of a frame in transit: loses, reorders or adds some.
    var network: ([[UInt8]]) -> [[UInt8]] = { $0 }

    /// Bytes sent before each response.
    var junkBefore: () -> [UInt8] = { [] }

    private(set) var frames: [ReceivedFrame] = []
    private(set) var playing: [(format: VideoFormat, isInterleaved: Bool)] = []
    private(set) var sounds: [ReceivedSound] = []
    private(set) var clocks: [SoundClock] = []
    /// The sound formats as text.
    private(set) var soundFormats: [String] = []
    /// The reasons for missing sound.
    private(set) var silence: [String] = []
    private(set) var soundPunches = 0
    private(set) var ended: HelioError?
    private(set) var isConnected = false
    private(set) var connections = 0
    private(set) var reports: [RTCPPacket] = []
    private(set) var punches = 0
    /// All bytes sent to the server, to be searched for secrets.
    private(set) var sent: [UInt8] = []
    private var nextFrame = Instant.zero

    init(
        _ address: String = ScriptedServer.uri, codec: VideoCodec = .h264, firstSequence: UInt16 = 100, seed: UInt64 = 1
    ) throws {
        engine = RTSPPlayClient(
            try RTSPAddress(parsing: address), crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed))
        packetizer = .plain(codec, firstSequence: firstSequence)
    }

    func connect() {
        connections += 1
        isConnected = true
        server.accept()
        feed(.connected)
    }

    func feed(_ event: RTSPLinkEvent) { feed(.link(event)) }

    func feed(_ input: RTSPPlayClient.Input) {
        engine.handle(input, now: now)
        drain()
    }

    func leave() {
        engine.leave(now: now)
        drain()
    }

    func run(_ duration: Duration) {
        let end = now + duration
        while true {
            let isSending = server.isPlaying && sendsFrames
            if isSending { nextFrame = max(nextFrame, now) }
            let due = [engine.deadline?.at, isSending ? nextFrame : nil].compactMap { $0 }.min()
            guard let due, due <= end else { break }
            now = max(now, due)
            if isSending, nextFrame <= now {
                sendFrame()
                nextFrame = now + Self.frameTime
            }
            engine.tick(now: now)
            drain()
        }
        now = end
    }

    /// Sends the server's next frame; its slices contain its index.
    func sendFrame(isKeyframe: Bool? = nil) {
        let slices = encoder.frame(
            keyframe: isKeyframe ?? encoder.nextIndex.isMultiple(of: Self.keyframeEvery), now: now)
        var packets: [[UInt8]] = []
        for var slice in slices {
            if !sendsParameterSets, slice.isKeyframe, slice.isFirst {
                slice.annexB.removeFirst(17)
                // `first_mb_in_slice` is 0.
                slice.annexB[5] = 0x80
            }
            packetizer.packetize(slice, timestamp: timestamp, sent: now, reserve: 0) { _, bytes, _ in
                packets.append(bytes)
            }
        }
        timestamp &+= 3600
        for packet in network(packets) { deliver(packet) }
    }

    func deliver(_ packet: [UInt8], _ channel: RTPChannel = .rtp, _ track: PlainTrack = .video) {
        if server.isInterleaved {
            let number: UInt8 = (track == .video ? 2 : 4) + (channel == .rtp ? 0 : 1)
            feed(.received(RTSPMessage.interleaved(channel: number, packet).serialised()))
        } else if server.deliversUDP {
            feed(.datagram(packet, channel, track))
        }
    }

    private func drain() {
        while let output = engine.poll() {
            switch output {
            case .link(.send(let bytes)):
                sent += bytes
                let answers = isConnected ? server.receive(bytes) : []
                for answer in answers where isConnected {
                    engine.handle(.link(.received(junkBefore() + answer)), now: now)
                }
                while let (_, bytes) = server.takeInterleaved() { take(bytes, .rtcp) }
            case .link(.close): isConnected = false
            case .link(.connect): connect()
            case .link(.openPorts(let track)):
                let port: UInt16 = track == .video ? 5000 : 5002
                let isOpen = track == .video ? hasPorts : hasPorts && hasSoundPorts
                engine.handle(.link(isOpen ? .portsOpen(rtp: port, rtcp: port + 1) : .portsFailed), now: now)
            case .link(.aim(let track, let rtp, let rtcp)):
                precondition((rtp, rtcp) == (track == .video ? (6000, 6001) : (6002, 6003)))
            case .link(.datagram(let bytes, let channel, let track)): take(bytes, channel, track)
            case .event(.frame(let frame)): frames.append(frame)
            case .event(.playing(let format, let isInterleaved)): playing.append((format, isInterleaved))
            case .event(.sound(let sound)): sounds.append(sound)
            case .event(.soundClock(let clock)): clocks.append(clock)
            case .event(.soundFormat(let codec, let format, let configuration)):
                soundFormats.append("\(codec.rawValue) \(format.sampleRate)/\(format.channels) \(configuration)")
            case .event(.noSound(let reason)): silence.append(reason)
            case .event(.ended(let error)): ended = error
            }
        }
    }

    private func take(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack = .video) {
        if channel == .rtp, track == .sound {
            soundPunches += 1
        } else if channel == .rtp {
            punches += 1
        } else {
            reports += RTCPPacket.parseCompound(bytes.span.bytes) ?? []
        }
    }

    /// The frame indices in the slices, in order; `nil` for an incomplete frame.
    var indices: [UInt64?] {
        frames.map { frame in
            var frame = frame
            // The slice follows the parameter sets, if there are any.
            for start in 0..<min(32, frame.annexB.count - 5)
            where frame.annexB[start..<start + 6].elementsEqual([0, 0, 0, 1, 0x65, 0x80]) {
                frame.annexB[start + 5] = 0
            }
            return TestEncoder.index(of: frame)
        }
    }
}
