import HelioAdmission
import HelioCore
import HelioHost
import HelioPeer
import HelioProtection
import HelioRemoteWire
import HelioSCTP
import HelioSession

/// Fuzzes the host's signalling with browsers, with a client that sends arbitrary bytes.
///
/// The first byte, modulo 5, is the number of signalling steps that a genuine browser has made on the same connection
/// before. The rest is a sequence of messages, each with a length of two bytes.
package enum WebSessionFuzz {
    private static let browser = ConnectionID(1)
    private static let fingerprint = [UInt8](repeating: 2, count: 32)
    private static let nonce = [UInt8](repeating: 3, count: 16)

    /// Runs the signalling with any bytes. Traps if junk is admitted or paired, obtains a peer connection, ends a
    /// session, or if a session never ends.
    package static func run(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let host = SourceHost(
            .init(
                format: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)), allowsControl: true,
                pairing: .init(asks: true),
                web: WebSettings(fingerprint: fingerprint) { configuration, now in
                    PeerEngine(
                        configuration, crypto: ToyCrypto(), certificates: ToyDTLS(1),
                        random: SeededGenerator(seed: 2), now: now)
                }),
            fingerprint: Array(repeating: 1, count: 32), crypto: ToyCrypto(), random: SeededGenerator(seed: 1),
            now: .zero)
        let crowd = Crowd(host)
        let steps = Int(first) % 5
        crowd.prepare(steps)
        let wasAdmitted = isAdmitted(by: host)
        for piece in pieces(Array(bytes.dropFirst())) { crowd.say(piece) }
        precondition(wasAdmitted || !isAdmitted(by: host), "junk was let in")
        precondition(crowd.paired == 0, "junk was paired")
        precondition(host.webState(of: browser) != .watching || steps == 4, "junk watches")
        if steps == 4 { precondition(host.webState(of: browser) == .watching, "junk ended a session") }
        if steps < 2 { precondition(crowd.begun == 0, "a stranger got a peer connection") }
        crowd.end()
    }

    private static func isAdmitted(by host: SourceHost) -> Bool { host.webState(of: browser)?.isAdmitted ?? false }

    private final class Crowd {
        let host: SourceHost
        var begun = 0
        var paired = 0
        private var hostNonce: [UInt8] = []

        init(_ host: SourceHost) { self.host = host }

        func prepare(_ steps: Int) {
            tell(.connected(address: "somewhere"))
            if steps > 0 {
                say(SignalingMessage.hello(.init(nonce: nonce, fingerprint: nonce + nonce, name: "x")).serialised())
            }
            if steps > 1 { say(SignalingMessage.join(.init(proof: proof())).serialised()) }
            if steps > 2 { say(SignalingMessage.offer(sdp: offer).serialised()) }
            if steps > 3 {
                tell(.peerEvent(.state(.connected)))
                tell(
                    .peerEvent(
                        .channelOpened(
                            PeerChannelID(rawValue: 0),
                            DataChannelDescription(label: RemoteChannel.control.rawValue), isByPeer: true)))
            }
        }

        func say(_ bytes: [UInt8]) { tell(.received(bytes)) }

        /// Checks that all sessions end, and that the host releases all their state.
        func end() {
            host.tick(now: .zero + .seconds(61))
            tell(.disconnected)
            tell(.peerEvent(.state(.failed)))
            precondition(host.held.values.allSatisfy { $0 == 0 }, "a session has no end")
        }

        private func tell(_ input: WebInput) {
            host.handle(.web(browser, input), now: .zero)
            while let output = host.poll() {
                switch output {
                case .web(_, .send(let bytes)):
                    // The messages that the host sends must be parseable.
                    guard let message = try? SignalingMessage(parsing: bytes) else { preconditionFailure("not read") }
                    if case .welcome(let welcome) = message { hostNonce = welcome.nonce }
                case .web(_, .peer(.open)):
                    begun += 1
                    host.handle(.web(browser, .peerOpened), now: .zero)
                case .web(_, .peer(.close)): host.handle(.web(browser, .peerReleased), now: .zero)
                case .event(.paired): paired += 1
                default: break
                }
            }
        }

        private func proof() -> [UInt8] {
            let crypto = ToyCrypto()
            let binding = (try? WebBinding.digest(host: fingerprint, viewer: nonce + nonce, crypto: crypto)) ?? []
            let proof = LinkProof(
                secret: host.linkSecret, binding: binding, clientNonce: nonce, hostNonce: hostNonce)
            return (try? proof?.proof(by: .viewer, crypto: crypto)) ?? []
        }

        private var offer: String {
            let digits = (nonce + nonce).map { Hexadecimal.text([$0]) }.joined(separator: ":")
            return "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=fingerprint:sha-256 \(digits)\r\n"
                + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 H264/90000\r\n"
                + "a=fmtp:96 profile-level-id=42e01f;packetization-mode=1\r\na=mid:0\r\na=rtcp-mux\r\n"
                + "a=ice-ufrag:abcd\r\na=ice-pwd:0123456789012345678901\r\na=setup:actpass\r\n"
        }
    }

    /// Splits bytes into chunks, each preceded by its length in two bytes.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start + 1 < bytes.count {
            let end = min(bytes.count, start + 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1])))
            pieces.append(Array(bytes[start + 2..<end]))
            start = end
        }
        return pieces
    }
}
