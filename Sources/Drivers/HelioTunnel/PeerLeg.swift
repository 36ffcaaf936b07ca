internal import HelioCore
internal import HelioOpenSSL
internal import HelioPeer
internal import HelioPeerPort
internal import HelioProtection
internal import HelioRemoteWire

/// A tunnel's way by ICE: a peer connection that carries plain datagrams and no channel. Lives on its port's event
/// loop.
final class PeerLeg {
    enum Happening {
        /// A local candidate, for the other end; `nil` after the last.
        case candidate(TrickledCandidate?)
        /// The path to the other end has appeared or changed its kind; `nil` without a path.
        case path(PeerPathKind?)
        case datagram([UInt8])
        /// No path works. A restart may find one.
        case noPath
        /// The connection has ended for good.
        case ended
    }

    private var peer: PeerHandle?
    private let tell: (Happening) -> Void
    private var isClosed = false
    /// The local candidates until the description of this end was taken, which has to go before them.
    private var held: [TrickledCandidate?]? = []

    init(
        on port: PeerPort, _ configuration: PeerConnectionConfiguration, certificates: any DTLSProvider,
        tell: @escaping (Happening) -> Void
    ) throws {
        self.tell = tell
        var configuration = configuration
        configuration.carriesPlainDatagrams = true
        configuration.receivesMedia = false
        peer = try port.addOnLoop(
            { [configuration] now in
                PeerEngine(
                    configuration, crypto: OpenSSLCrypto(), certificates: certificates, random: SecureGenerator(),
                    now: now)
            },
            onEvent: { [weak self] in self?.take($0) })
    }

    /// Makes an offer. The candidates that follow it are told once it was given to `send`.
    func offer(restartsICE: Bool, send: (String) -> Void) throws {
        guard let peer else { return }
        hold()
        // An offer that can't be made holds nothing back.
        defer { release() }
        let offer = try peer.runOnLoop { (engine, now) throws in
            if !restartsICE { try engine.openData(now: now) }
            return try engine.makeOffer(restartsICE: restartsICE, now: now)
        }
        send(offer)
    }

    /// Answers an offer. The candidates that follow the answer are told once it was given to `send`.
    func answer(_ offer: String, send: (String) -> Void) throws {
        guard let peer else { return }
        hold()
        let answer = try peer.runOnLoop { (engine, now) throws in
            try engine.takeOffer(offer, now: now)
            return try engine.makeAnswer(now: now)
        }
        send(answer)
        release()
    }

    func take(answer: String) throws {
        try peer?.runOnLoop { (engine, now) throws in try engine.takeAnswer(answer, now: now) }
    }

    func add(_ candidate: TrickledCandidate?) throws {
        try peer?.runOnLoop { (engine, now) throws in try engine.addCandidate(candidate?.candidate, now: now) }
    }

    func send(_ datagram: [UInt8]) { peer?.runOnLoop { engine, now in engine.send(plain: datagram, now: now) } }

    /// Closes the connection; nothing is told from now on.
    func close() {
        let peer = peer
        isClosed = true
        self.peer = nil
        peer?.closeOnLoop { engine, now in engine.close(now: now) }
    }

    private func hold() {
        if held == nil { held = [] }
    }

    private func release() {
        let candidates = held ?? []
        held = nil
        for candidate in candidates { tell(.candidate(candidate)) }
    }

    private func take(_ event: PeerConnectionEvent) {
        guard !isClosed else { return }
        switch event {
        case .candidate(let text):
            // All sections share one transport, so candidates name the first section.
            let candidate = text.map { TrickledCandidate(candidate: $0, sdpMid: nil, sdpMLineIndex: 0) }
            if held == nil { tell(.candidate(candidate)) } else { held?.append(candidate) }
        case .path(let kind): tell(.path(kind))
        case .plain(let bytes): tell(.datagram(bytes))
        // After a failure, the path may be the same as before.
        case .state(.connected): tell(.path(peer?.runOnLoop { engine, _ in engine.pathKind }))
        case .failed(.noPath): tell(.noPath)
        case .failed, .state(.closed): tell(.ended)
        case .negotiationNeeded, .state, .negotiated, .channelOpened, .message, .bufferedAmountLow, .channelClosed,
            .media, .relayFailed:
            break
        }
    }
}
