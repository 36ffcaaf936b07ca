import HelioCore
import HelioProtection
import HelioRTSPServer
import HelioSession

/// Fuzzes the RTSP endpoint for third-party players with a client that sends arbitrary bytes.
///
/// The first byte selects the endpoint: if it is even, one with a password; if odd, one with a player that is already
/// playing. The rest is a sequence of chunks, each preceded by a byte for its length and kind: connection data or a
/// datagram.
package enum RTSPPlayServerFuzz {
    private static let stranger = ConnectionID(2)
    private static let player = ConnectionID(1)

    /// Runs the endpoint with any bytes. Traps if junk starts a session without the password or ends another session.
    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        if mode % 2 == 0 { withPassword(rest) } else { besidePlayer(rest) }
    }

    private static func withPassword(_ bytes: [UInt8]) {
        let host = makeHost(ServerCredentials(username: "anna", password: Array("sesame".utf8)))
        host.handle(.connected(stranger, address: "stranger"), now: .zero)
        feed(host, bytes)
        while let output = host.poll() {
            switch output {
            case .event(.joined), .event(.watched), .event(.soundWanted), .datagram:
                preconditionFailure("a stranger got in")
            default: break
            }
        }
        host.tick(now: .zero + .seconds(30))
        precondition(!host.knows(stranger), "a stranger stayed")
    }

    private static func besidePlayer(_ bytes: [UInt8]) {
        let host = makeHost(nil)
        host.handle(.connected(player, address: "player"), now: .zero)
        let dialogue = """
            SETUP rtsp://h/screen/video RTSP/1.0\r\nCSeq: 1\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r
            SETUP rtsp://h/screen/audio RTSP/1.0\r\nCSeq: 2\r\nTransport: RTP/AVP/TCP;interleaved=2-3\r\n\r
            PLAY rtsp://h/screen RTSP/1.0\r\nCSeq: 2\r\n\r\n
            """
        host.handle(.received(player, Array(dialogue.utf8)), now: .zero)
        host.handle(.connected(stranger, address: "stranger"), now: .zero)
        feed(host, bytes)
        send(host, keyframe: 0)
        var isPlaying = false
        while let output = host.poll() {
            switch output {
            case .event(.joined(address: "player")): isPlaying = true
            case .event(.left(address: "player", _)): preconditionFailure("junk ended a session")
            default: break
            }
        }
        precondition(isPlaying && host.knows(player), "the session must begin and stay")
        // The second client may have started to play; its session ends with its connection.
        host.handle(.disconnected(stranger), now: .zero)
        host.handle(.disconnected(player), now: .zero)
        while let output = host.poll() {
            switch output {
            case .event(.watched(true)): preconditionFailure("nobody is there to watch")
            case .event(.soundWanted(let wanted)): precondition(wanted.isEmpty, "nobody is there to listen")
            default: break
            }
        }
        precondition(host.deadline == nil, "something was left behind")
    }

    private static func makeHost(_ credentials: ServerCredentials?) -> RTSPPlayServer {
        let host = RTSPPlayServer(
            .init(
                format: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)), sound: .aac,
                credentials: credentials, clockOffset: .zero),
            crypto: ToyCrypto(), random: SeededGenerator(seed: 1), now: .zero)
        host.setMediaPort(6970)
        return host
    }

    /// Passes bytes in chunks, each preceded by a byte with a quarter of its length; an odd byte marks a datagram.
    /// Encodes a keyframe after every fourth chunk.
    private static func feed(_ host: RTSPPlayServer, _ bytes: [UInt8]) {
        var start = 0
        var number: UInt64 = 1
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + Int(bytes[start]) * 4)
            let piece = Array(bytes[start + 1..<end])
            if bytes[start] % 2 == 1 {
                host.handle(.reports(piece), now: .zero)
            } else {
                host.handle(.received(stranger, piece), now: .zero)
            }
            if number % 4 == 0 { send(host, keyframe: number) }
            number += 1
            start = end
        }
    }

    private static func send(_ host: RTSPPlayServer, keyframe index: UInt64) {
        let annexB: [UInt8] = [0, 0, 1, 0x67, 66, 0, 30, 0xA6, 0, 0, 1, 0x68, 0xCE, 0x80, 0, 0, 1, 0x65, 0x88, 0x84]
        host.handle(
            .slice(
                EncodedSlice(
                    frameIndex: index, annexB: annexB, isFirst: true, isLast: true, isKeyframe: true,
                    timing: FrameTiming(damaged: .zero, captured: .zero))), now: .zero)
        host.handle(
            .sound(
                EncodedSound(
                    encode: .aac, payload: annexB, mediaTime: Int64(index) * 1024, frames: 1024, captured: .zero)),
            now: .zero)
    }
}
