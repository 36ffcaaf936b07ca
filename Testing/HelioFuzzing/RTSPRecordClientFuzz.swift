import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSession

/// Fuzzes the RTSP publishing client with a third-party server that sends arbitrary bytes.
///
/// The first byte, modulo 4, selects the stage at which the rest arrives: 0 right after the connection was made, 1
/// instead of the answer to SETUP, 2 while publishing over UDP, 3 while publishing over TCP. The rest is a sequence of
/// chunks, each with a length byte; over UDP, an odd length byte marks a datagram. A keyframe and sound are encoded
/// after each chunk.
package enum RTSPRecordClientFuzz {
    private static let password = "hunter2"
    /// The maximum number of outputs for one input, which a correct client does not exceed.
    private static let mostOutputs = 4096

    /// Runs the client with any bytes. Traps if the password is sent, if media are sent without a connection or port,
    /// or if the client neither continues, nor retries, nor fails.
    package static func run(_ bytes: [UInt8]) {
        // Skip inputs that contain the password: the client may echo the server's text, which is not a leak.
        guard let mode = bytes.first, !String(decoding: bytes, as: UTF8.self).contains(password) else { return }
        let rest = Array(bytes.dropFirst())
        var publisher = Publisher(isInterleavedOnly: mode % 4 == 3)
        publisher.begin()
        switch mode % 4 {
        case 0: break
        case 1:
            publisher.answer("Public: OPTIONS, GET_PARAMETER")
            publisher.encode()
            publisher.answer("Server: x")
        case 2:
            publisher.publish("RTP/AVP;unicast;server_port=6000-6001", sound: "RTP/AVP;unicast;server_port=6002-6003")
        default:
            publisher.publish("RTP/AVP/TCP;unicast;interleaved=0-1", sound: "RTP/AVP/TCP;unicast;interleaved=2-3")
        }
        var start = 0
        while start < rest.count {
            // Each chunk is preceded by a byte with a quarter of its length.
            let end = min(rest.count, start + 1 + Int(rest[start]) * 4)
            let piece = Array(rest[start + 1..<end])
            if mode % 4 == 2, rest[start] % 2 == 1 {
                publisher.feed(.datagram(piece, rest[start] % 4 == 3 ? .rtcp : .rtp))
            } else {
                publisher.feed(.received(piece))
            }
            publisher.encode()
            start = end
        }
        publisher.finish()
    }

    private struct Publisher {
        private let engine: RTSPRecordClient
        private var now = Instant.zero
        private var requests: UInt32 = 0
        private var frames: UInt64 = 0
        private var bytesIn = 0
        private var isConnected = false
        private var isAimed = false
        private var isPublished = false
        private var hasFailed = false
        private var isWatched = false
        private var wantsSound = false

        init(isInterleavedOnly: Bool) {
            guard let address = try? RTSPAddress(parsing: "rtsp://user:\(password)@h/live") else {
                preconditionFailure("the address must be read")
            }
            engine = RTSPRecordClient(
                .init(
                    address: address, format: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)),
                    sound: .aac, isInterleavedOnly: isInterleavedOnly, clockOffset: .zero),
                crypto: ToyCrypto(), random: SeededGenerator(seed: 1), now: .zero)
        }

        mutating func begin() {
            engine.tick(now: now)
            drain()
            precondition(isConnected, "it must begin")
        }

        mutating func feed(_ event: RTSPLinkEvent) { feed(.link(event)) }

        mutating func feed(_ input: RTSPRecordClient.Input) {
            now = now + .milliseconds(7)
            if case .link(.received(let bytes)) = input { bytesIn += bytes.count }
            engine.handle(input, now: now)
            drain()
        }

        mutating func answer(_ header: String) {
            feed(.received(Array("RTSP/1.0 200 OK\r\nCSeq: \(requests)\r\n\(header)\r\n\r\n".utf8)))
        }

        mutating func publish(_ transport: String, sound: String) {
            answer("Public: OPTIONS, GET_PARAMETER")
            encode()
            answer("Server: x")
            answer("Session: s\r\nTransport: \(transport)")
            answer("Session: s\r\nTransport: \(sound)")
            answer("Session: s")
            precondition(isPublished && wantsSound, "it must be published")
        }

        /// Passes an encoded keyframe and a packet of sound to the client.
        mutating func encode() {
            let annexB: [UInt8] = [
                0, 0, 1, 0x67, 66, 0, 30, 0xA6, 0, 0, 1, 0x68, 0xCE, 0x80, 0, 0, 1, 0x65, 0x88, 0x84,
            ]
            frames += 1
            feed(
                .slice(
                    EncodedSlice(
                        frameIndex: frames, annexB: annexB, isFirst: true, isLast: true, isKeyframe: true,
                        timing: FrameTiming(damaged: now, captured: now + .milliseconds(7)))))
            feed(
                .sound(
                    EncodedSound(
                        encode: .aac, payload: annexB, mediaTime: Int64(frames) * 1024, frames: 1024, captured: now)))
        }

        /// Checks that, whatever the server has sent before, the client needs no media after the connection is lost,
        /// and retries or has failed.
        mutating func finish() {
            if isConnected { feed(.disconnected) }
            precondition(!isPublished && !isWatched && !wantsSound, "it publishes to nobody")
            for _ in 0..<20 {
                guard let deadline = engine.deadline else { break }
                now = max(now + .milliseconds(1), deadline.at)
                engine.tick(now: now)
                drain()
                if isConnected { feed(.disconnected) }
            }
            precondition((engine.deadline == nil) == hasFailed, "it neither tries nor has given up")
            engine.leave(now: now)
            drain()
            precondition(engine.deadline == nil && engine.poll() == nil)
        }

        private mutating func drain() {
            var count = 0
            while let output = engine.poll() {
                count += 1
                precondition(count < RTSPRecordClientFuzz.mostOutputs + bytesIn, "one input causes too much")
                switch output {
                case .link(.connect):
                    isConnected = true
                    requests = 0
                    engine.handle(.link(.connected), now: now)
                case .link(.send(let bytes)):
                    precondition(isConnected, "it sends to nobody")
                    precondition(!String(decoding: bytes, as: UTF8.self).contains(password), "the password went out")
                    if bytes.first != UInt8(ascii: "$"), !bytes.starts(with: "RTSP/".utf8) { requests += 1 }
                    engine.handle(.link(.written(bytes.count)), now: now)
                case .link(.close):
                    isConnected = false
                    isAimed = false
                case .link(.openPorts): engine.handle(.link(.portsOpen(rtp: 5000, rtcp: 5001)), now: now)
                case .link(.aim): isAimed = true
                case .link(.datagram): precondition(isAimed, "a datagram to nobody")
                case .event(.published): isPublished = true
                case .event(.lost): isPublished = false
                case .event(.failed(let error)):
                    precondition(!hasFailed && !error.message.contains(password))
                    hasFailed = true
                    isPublished = false
                case .event(.watched(let watched)): isWatched = watched
                case .event(.soundWanted(let wanted)): wantsSound = !wanted.isEmpty
                case .event: break
                }
            }
        }
    }
}
