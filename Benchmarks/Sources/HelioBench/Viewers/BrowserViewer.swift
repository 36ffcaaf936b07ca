import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRemoteWire
import HelioWebRTC
import Synchronization

/// A viewer that behaves like the page: it is admitted by a link's secret, watches, and never takes control.
final class BrowserViewer: Sendable {
    let pictures = PictureCount()
    var timeToPicture: Duration {
        get { state.withLock { $0.timeToPicture } }
        set { state.withLock { $0.timeToPicture = newValue } }
    }
    /// Why the session has ended; `nil` while it runs.
    var problem: String? { state.withLock { $0.problem } }

    private struct State {
        var timeToPicture = Duration.zero
        var problem: String?
    }

    private let endpoint: WebRTCEndpoint
    private let peer: PeerConnection
    private let socket: SignalingSocket
    private let state = Mutex(State())

    /// Joins a host; throws `refused` if it does not admit the viewer, `unreachable` if it does not answer.
    static func join(_ link: PageLink, name: String) async throws -> BrowserViewer {
        var options = WebRTCEndpoint.Options()
        options.includesLoopback = true
        let endpoint = try await WebRTCEndpoint.open(options)
        var terms = PeerConnection.Options()
        terms.profiles = [.constrainedBaseline, .main, .high]
        let viewer = BrowserViewer(
            endpoint, try await endpoint.connect(terms), try await SignalingSocket.open(link))
        try await viewer.signal(SecretBytes(link.secret), name)
        return viewer
    }

    private init(_ endpoint: WebRTCEndpoint, _ peer: PeerConnection, _ socket: SignalingSocket) {
        self.endpoint = endpoint
        self.peer = peer
        self.socket = socket
    }

    /// The number of packets that were lost or only arrived by repair.
    func packetsLost() async -> Int { await peer.statistics().inbound.reduce(0) { $0 + $1.packetsLost } }

    func leave() async {
        socket.close()
        await endpoint.close()
    }

    // MARK: Admission

    private func signal(_ secret: SecretBytes, _ name: String) async throws {
        try await peer.receiveVideo()
        _ = try await peer.openChannel("control")
        var moves = DataChannel.Options()
        moves.isOrdered = false
        moves.reliability = .retransmissions(0)
        _ = try await peer.openChannel("moves", moves)
        _ = try await peer.makeOffer()
        let offer = await peer.completeDescription() ?? ""
        let fingerprint = try Self.fingerprint(in: offer)

        var generator = SecureGenerator()
        let nonce = (0..<SignalingMessage.nonceLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        socket.send(.hello(.init(nonce: nonce, fingerprint: fingerprint, name: name)))
        var proofs: LinkProof?
        var hostFingerprint: [UInt8] = []
        for await message in socket.messages {
            switch message {
            case .welcome(let welcome):
                hostFingerprint = welcome.fingerprint
                let binding = try WebBinding.digest(
                    host: welcome.fingerprint, viewer: fingerprint, crypto: OpenSSLCrypto())
                proofs = LinkProof(secret: secret, binding: binding, clientNonce: nonce, hostNonce: welcome.nonce)
                guard let proof = try proofs?.proof(by: .viewer, crypto: OpenSSLCrypto()) else { break }
                socket.send(.join(.init(proof: proof)))
            case .admitted(let admitted):
                guard let proof = admitted.proof,
                    try proofs?.verify(proof, by: .host, crypto: OpenSSLCrypto()) == true
                else { throw HelioError(.refused, "The host does not know the secret") }
                socket.send(.offer(sdp: offer))
                socket.send(.candidate(nil))
            case .answer(let sdp):
                guard try Self.fingerprint(in: sdp) == hostFingerprint else {
                    throw HelioError(.refused, "The answer is of another certificate")
                }
                try await peer.takeAnswer(sdp)
                return watch()
            case .refused(let reason): throw HelioError(.refused, "The host says \(reason.rawValue)")
            case .bye(let reason): throw HelioError(.ended, "The host says good-bye: \(reason)")
            case .error(let report): throw HelioError(.protocolViolation, "The host says: \(report.message)")
            default: break
            }
        }
        throw HelioError(.unreachable, "The host has closed the WebSocket")
    }

    /// The SHA-256 fingerprint of the certificate in a description (RFC 8122 section 5).
    private static func fingerprint(in description: String) throws(HelioError) -> [UInt8] {
        let prefix = "a=fingerprint:sha-256 "
        let line = description.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) }
        let bytes = line?.dropFirst(prefix.count).split(separator: ":").compactMap { UInt8($0, radix: 16) } ?? []
        guard bytes.count == SignalingMessage.fingerprintLength else {
            throw HelioError(.protocolViolation, "A description has no fingerprint of SHA-256")
        }
        return bytes
    }

    // MARK: Watching

    private func watch() {
        Task {
            for await message in socket.messages {
                guard case .candidate(let candidate) = message else { continue }
                try? await peer.addCandidate(candidate.map(\.candidate))
            }
        }
        Task {
            for await event in peer.events {
                switch event {
                case .video(let picture): pictures.take(picture)
                case .failure(let reason): state.withLock { $0.problem = reason }
                default: break
                }
            }
        }
    }
}
