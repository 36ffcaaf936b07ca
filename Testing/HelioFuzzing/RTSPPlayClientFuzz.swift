import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPClient
import HelioSession

/// Fuzzes the RTSP player with a third-party server that sends arbitrary bytes.
///
/// The first byte, modulo 8, selects the use of the rest: 0 for the connection's bytes right after it was made, 1 for a
/// session description, 2 for datagrams of video over UDP, 3 for the connection's bytes while playing over TCP, 4 to 7
/// for datagrams of sound in one of four formats. Datagrams and the connection's bytes are a sequence of chunks, each
/// with a length byte.
package enum RTSPPlayClientFuzz {
    private static let password = "hunter2"
    /// The maximum number of outputs for one input, which a correct player does not exceed.
    private static let mostOutputs = 4096

    /// Runs the player with any bytes. Traps if the password is sent, if the player never ends, or if its output is
    /// larger than its input.
    package static func run(_ bytes: [UInt8]) {
        // Skip inputs that contain the password: the client may echo the server's text, which is not a leak.
        guard let mode = bytes.first, !String(decoding: bytes, as: UTF8.self).contains(password) else { return }
        let rest = Array(bytes.dropFirst())
        var player = Player()
        switch mode % 8 {
        case 0:
            player.feed(.connected)
            for piece in pieces(rest) { player.feed(.received(piece)) }
        case 1:
            player.feed(.connected)
            player.answer("Public: OPTIONS")
            player.answer("Content-Base: rtsp://h/", body: rest)
        case 2:
            player.play("RTP/AVP;unicast;server_port=6000-6001")
            for (index, piece) in pieces(rest).enumerated() {
                player.feed(.datagram(piece, index % 4 == 3 ? .rtcp : .rtp))
            }
        case 4, 5, 6, 7:
            player.play("RTP/AVP;unicast;server_port=6000-6001", sound: Self.sounds[Int(mode % 4)])
            for (index, piece) in pieces(rest).enumerated() {
                player.feed(.datagram(piece, index % 4 == 3 ? .rtcp : .rtp, .sound))
            }
        default:
            player.play("RTP/AVP/TCP;unicast;interleaved=0-1")
            for piece in pieces(rest) { player.feed(.received(piece)) }
        }
        player.finish()
    }

    /// SDP lines of sound formats for a session description.
    private static let sounds = [
        "a=rtpmap:97 opus/48000/2",
        "a=rtpmap:97 mpeg4-generic/44100/2\na=fmtp:97 mode=AAC-hbr;config=1210;sizelength=13;indexlength=3;"
            + "indexdeltalength=3",
        "a=rtpmap:97 L16/44100/2", "a=rtpmap:97 PCMU/8000",
    ]

    private struct Player {
        private let engine: RTSPPlayClient
        private var now = Instant.zero
        private var requests: UInt32 = 0
        private var hasEnded = false
        private var bytesIn = 0
        private var bytesOut = 0
        private var soundOut = 0
        private var hasSound = false

        init() {
            guard let address = try? RTSPAddress(parsing: "rtsp://user:\(password)@h/cam") else {
                preconditionFailure("the address must be read")
            }
            engine = RTSPPlayClient(address, crypto: ToyCrypto(), random: SeededGenerator(seed: 1))
        }

        mutating func feed(_ input: RTSPLinkEvent) {
            now = now + .milliseconds(7)
            if case .received(let bytes) = input { bytesIn += bytes.count }
            if case .datagram(let bytes, _, _) = input { bytesIn += bytes.count }
            engine.handle(.link(input), now: now)
            drain()
        }

        mutating func answer(_ header: String, body: [UInt8] = []) {
            let text = "RTSP/1.0 200 OK\r\nCSeq: \(requests)\r\n\(header)\r\nContent-Length: \(body.count)\r\n\r\n"
            feed(.received(Array(text.utf8) + body))
        }

        mutating func play(_ transport: String, sound: String? = nil) {
            feed(.connected)
            answer("Public: OPTIONS, GET_PARAMETER")
            var description = "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000\na=control:v\n"
            if let sound { description += "m=audio 0 RTP/AVP 97\n\(sound)\na=control:a\n" }
            answer("Server: x", body: Array(description.utf8))
            answer("Session: s\r\nTransport: \(transport)")
            if sound != nil { answer("Session: s\r\nTransport: RTP/AVP;unicast;server_port=6002-6003") }
            answer("Session: s")
            precondition(sound == nil || hasSound, "the sound must be set up")
        }

        /// Checks that the player ends if the server stops responding, whatever the server has sent before.
        mutating func finish() {
            for _ in 0..<100 where !hasEnded {
                guard let deadline = engine.deadline else { break }
                now = max(now + .seconds(1), deadline.at)
                engine.tick(now: now)
                drain()
            }
            precondition(hasEnded, "the player waits for ever")
            precondition(engine.poll() == nil && engine.deadline == nil)
        }

        private mutating func drain() {
            var count = 0
            while let output = engine.poll() {
                count += 1
                precondition(count < RTSPPlayClientFuzz.mostOutputs + bytesIn, "one input causes too much")
                switch output {
                case .link(.send(let bytes)):
                    precondition(!String(decoding: bytes, as: UTF8.self).contains(password), "the password went out")
                    if bytes.first != UInt8(ascii: "$"), !bytes.starts(with: "RTSP/".utf8) { requests += 1 }
                case .link(.openPorts): engine.handle(.link(.portsOpen(rtp: 5000, rtcp: 5001)), now: now)
                case .link(.connect): engine.handle(.link(.connected), now: now)
                case .event(.frame(let frame)):
                    bytesOut += frame.annexB.count
                    // The output may exceed the input, as start codes are longer than the headers that they replace,
                    // and parameter sets are repeated with keyframes.
                    precondition(bytesOut <= (bytesIn + 1) * (bytesIn + 64), "more came out than went in")
                case .event(.soundFormat): hasSound = true
                case .event(.sound(let sound)):
                    precondition(hasSound, "sound of nobody")
                    soundOut += sound.payload.count
                    // G.711 is half as long as its decoded samples.
                    precondition(soundOut <= bytesIn * 2, "more sound came out than went in")
                case .event(.ended(let error)):
                    precondition(!hasEnded && !error.message.contains(password))
                    hasEnded = true
                default: break
                }
            }
        }
    }

    /// Splits bytes into chunks, each preceded by a byte with a quarter of its length.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + Int(bytes[start]) * 4)
            pieces.append(Array(bytes[start + 1..<end]))
            start = end
        }
        return pieces
    }
}
