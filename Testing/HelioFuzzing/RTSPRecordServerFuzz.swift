import HelioCore
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPServer
import HelioSession

/// Fuzzes the RTSP endpoint for publishers with a client that sends arbitrary bytes.
///
/// The first byte, modulo 4, selects the case: 0 for an endpoint with a password, 1 for one that already has a
/// publisher, 2 for a client that announces the first bytes as its session description and then sends media over TCP, 3
/// for the same over UDP. The rest is a sequence of chunks, each preceded by a byte for its length and kind: connection
/// data or a datagram.
package enum RTSPRecordServerFuzz {
    private static let stranger = ConnectionID(2)
    private static let publisher = ConnectionID(1)
    /// The maximum number of outputs for one input, which a correct endpoint does not exceed.
    private static let mostOutputs = 4096

    /// Runs the endpoint with any bytes. Traps if junk is shown without the password, if it ends another session, or if
    /// a connection never ends.
    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch mode % 4 {
        case 0: withPassword(rest)
        case 1: besidePublisher(rest)
        case 2: asPublisher(rest, "RTP/AVP/TCP;interleaved=0-1;mode=record", overUDP: false)
        default: asPublisher(rest, "RTP/AVP;client_port=5000-5001;mode=record", overUDP: true)
        }
    }

    private static func withPassword(_ bytes: [UInt8]) {
        var world = World(ServerCredentials(username: "anna", password: Array("sesame".utf8)))
        world.feed(.connected(stranger, address: "stranger"))
        world.feed(bytes, overUDP: true)
        precondition(world.shown.isEmpty && world.frames == 0 && !world.isAimed, "a stranger got in")
        world.finish(stranger)
    }

    private static func besidePublisher(_ bytes: [UInt8]) {
        var world = World(nil)
        world.feed(.connected(publisher, address: "publisher"))
        world.say(dialogue("RTP/AVP/TCP;interleaved=0-1;mode=record"), publisher)
        world.say([0x24, 0, 0, UInt8(keyframe.count)] + keyframe, publisher)
        precondition(world.shown == ["publisher"], "the publisher must be shown")
        world.feed(.connected(stranger, address: "stranger"))
        // Send no datagrams, as the driver accepts them only from the publisher's ports.
        world.feed(bytes, overUDP: false)
        precondition(world.shown == ["publisher"] && world.host.knows(publisher), "junk ended a session")
        world.finish(publisher)
    }

    private static func asPublisher(_ bytes: [UInt8], _ transport: String, overUDP: Bool) {
        var world = World(nil)
        world.feed(.connected(stranger, address: "stranger"))
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        // The bytes up to the first zero are the announced description; if there are none, a valid one is announced.
        if end > 0 {
            world.say(announce(Array(bytes[..<end])), stranger)
        } else {
            world.say(dialogue(transport, sound: true), stranger)
        }
        world.feed(Array(bytes[end...].dropFirst()), overUDP: overUDP)
        world.finish(stranger)
    }

    private static func announce(_ body: [UInt8]) -> [UInt8] {
        let head = "ANNOUNCE rtsp://h/live RTSP/1.0\r\nCSeq: 1\r\nContent-Type: application/sdp\r\n"
        return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    private static func dialogue(_ transport: String, sound: Bool = false) -> [UInt8] {
        var description = "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000\na=control:v\n"
        var setUp = "SETUP rtsp://h/live/v RTSP/1.0\r\nCSeq: 2\r\nTransport: \(transport)\r\n\r\n"
        if sound {
            description += "m=audio 0 RTP/AVP 97\na=rtpmap:97 mpeg4-generic/48000/2\na=control:a\n"
            description += "a=fmtp:97 mode=AAC-hbr;config=1190;sizelength=13;indexlength=3;indexdeltalength=3\n"
            let other = transport.replacing("0-1", with: "2-3").replacing("5000-5001", with: "5002-5003")
            setUp += "SETUP rtsp://h/live/a RTSP/1.0\r\nCSeq: 4\r\nTransport: \(other)\r\n\r\n"
        }
        return announce(Array(description.utf8)) + Array(setUp.utf8)
            + Array("RECORD rtsp://h/live RTSP/1.0\r\nCSeq: 3\r\n\r\n".utf8)
    }

    /// An RTP packet with a keyframe.
    private static let keyframe: [UInt8] = [0x80, 0xE0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0x65, 0x88, 0x84]

    private struct World {
        let host: RTSPRecordServer
        private(set) var shown: [String] = []
        private(set) var frames = 0
        private(set) var isAimed = false
        private var now = Instant.zero
        private var bytesIn = 0
        private var bytesOut = 0
        private var soundOut = 0

        init(_ credentials: ServerCredentials?) {
            host = RTSPRecordServer(
                .init(credentials: credentials), crypto: ToyCrypto(), random: SeededGenerator(seed: 1))
            host.setMediaPort(6970)
        }

        mutating func say(_ bytes: [UInt8], _ id: ConnectionID) { feed(.received(id, bytes)) }

        mutating func feed(_ input: RTSPRecordServer.Input) {
            now = now + .milliseconds(7)
            if case .received(_, let bytes) = input { bytesIn += bytes.count }
            if case .datagram(let bytes, _, _) = input { bytesIn += bytes.count }
            host.handle(input, now: now)
            drain()
        }

        /// Passes bytes in chunks, each preceded by a byte with a quarter of its length; over UDP, an odd byte marks a
        /// datagram.
        mutating func feed(_ bytes: [UInt8], overUDP: Bool) {
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + 1 + Int(bytes[start]) * 4)
                let piece = Array(bytes[start + 1..<end])
                if overUDP, bytes[start] % 2 == 1 {
                    let track: PlainTrack = bytes[start] % 8 < 4 ? .video : .sound
                    feed(.datagram(piece, bytes[start] % 4 == 3 ? .rtcp : .rtp, track))
                } else {
                    feed(.received(RTSPRecordServerFuzz.stranger, piece))
                }
                start = end
            }
        }

        /// Checks that the endpoint drops a client that sends nothing more, whatever it has sent before.
        mutating func finish(_ id: ConnectionID) {
            for _ in 0..<1000 {
                guard let deadline = host.deadline else { break }
                now = max(now + .milliseconds(1), deadline.at)
                host.tick(now: now)
                drain()
            }
            precondition(host.deadline == nil && !host.knows(id) && shown.isEmpty, "somebody stays for ever")
        }

        private mutating func drain() {
            var count = 0
            while let output = host.poll() {
                count += 1
                precondition(count < RTSPRecordServerFuzz.mostOutputs + bytesIn, "one input causes too much")
                switch output {
                case .listen: isAimed = true
                case .stopListening: isAimed = false
                case .event(.playing(_, let address, _)): shown.append(address)
                case .event(.sound(let sound)):
                    soundOut += sound.payload.count
                    precondition(soundOut <= bytesIn, "more sound came out than went in")
                case .event(.left(let address, _)):
                    precondition(shown.removeFirst() == address, "somebody left who was not there")
                case .event(.frame(let frame)):
                    precondition(!shown.isEmpty, "a frame of nobody")
                    frames += 1
                    bytesOut += frame.annexB.count
                    // The output may exceed the input, as start codes are longer than the headers that they replace,
                    // and parameter sets are repeated with keyframes.
                    precondition(bytesOut <= (bytesIn + 1) * (bytesIn + 64), "more came out than went in")
                default: break
                }
            }
        }
    }
}
