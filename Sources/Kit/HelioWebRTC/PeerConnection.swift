public import HelioCore
private import HelioICE
internal import HelioOpenSSL
private import HelioPeer
internal import HelioPeerPort
private import HelioProtection
private import HelioSCTP
private import HelioSDP
private import HelioTURN

/// A connection to one WebRTC peer: a browser, say, or another app.
///
/// One side makes an offer, the other answers it, and both signal their candidates as they come; the app carries these
/// texts from one side to the other. A peer whose certificate is not the one of its description is refused, so the
/// connection is as safe as the way the descriptions went.
///
/// ```swift
/// let channel = try await peer.openChannel("chat")
/// signal(try await peer.makeOffer())
/// for await event in peer.events {
///     switch event {
///     case .candidate(let candidate): signal(candidate)
///     case .channelOpened(channel): try await channel.send(.text("hello"))
///     case .message(_, let message): show(message)
///     default: break
///     }
/// }
/// ```
public final class PeerConnection: Sendable {
    /// The connection's events; ends with the connection. For one reader.
    public let events: PeerEvents

    let link: PeerLink

    static func make(
        _ options: Options, on sockets: PeerPort, certificates: OpenSSLDTLS
    ) async throws(HelioError) -> PeerConnection {
        let (configuration, unusable) = try await options.configuration()
        let events = PeerEvents()
        let link = PeerLink(events)
        for why in unusable { _ = events.put(.serverUnusable(why)) }
        do {
            let handle = try await sockets.add(
                { now in
                    PeerEngine(
                        configuration, crypto: OpenSSLCrypto(), certificates: certificates, random: SecureGenerator(),
                        now: now)
                }, onEvent: { link.take($0) })
            link.begin(handle)
        } catch {
            throw HelioError(.systemFailed, "The port takes no more connections: close some first", cause: error)
        }
        return PeerConnection(events, link)
    }

    private init(_ events: PeerEvents, _ link: PeerLink) {
        self.events = events
        self.link = link
    }

    // MARK: Offers and answers

    /// Makes an offer, which is this side's local description at once; signal it to the peer. Candidates that are not
    /// known yet follow as events.
    ///
    /// - Parameter restartsICE: looks for a new path, while the old one carries on as long as it can.
    ///
    /// Throws `protocolViolation` while another offer waits for its answer.
    public func makeOffer(restartsICE: Bool = false) async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeOffer(restartsICE: restartsICE, now: $1) }
    }

    /// Takes the peer's offer; answer it with `makeAnswer`. Throws `protocolViolation` where it is not valid.
    public func takeOffer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeOffer(description, now: $1) }
    }

    /// Makes the answer to the peer's offer; signal it to the peer.
    public func makeAnswer() async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeAnswer(now: $1) }
    }

    /// Takes the peer's answer to this end's offer. Throws `protocolViolation` where it is not valid.
    public func takeAnswer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeAnswer(description, now: $1) }
    }

    /// Rolls back the pending offer, of either side: one side does so where both offered at once.
    public func rollback() async throws(HelioError) {
        try await link.negotiate { try $0.rollback(now: $1) }
    }

    /// Takes a candidate that the peer signalled; `nil` says that there are no more.
    public func addCandidate(_ candidate: String?) async throws(HelioError) {
        try await link.negotiate { try $0.addCandidate(candidate, now: $1) }
    }

    /// Gives this end's last description with the candidates that are known by now, for signalling that can't trickle;
    /// `nil` before the first.
    public func localDescription() async -> String? {
        await link.read(orElse: nil) { $0.localDescription }
    }

    /// Waits until all candidates are known, then gives the description that has them all.
    ///
    /// - Parameter patience: the longest to wait; the description then has the candidates known so far.
    public func completeDescription(patience: Duration = .seconds(5)) async -> String? {
        await link.waitForCandidates(patience)
        return await localDescription()
    }

    // MARK: Channels

    /// Opens a data channel. Messages can be sent once `channelOpened` has come; the first channel of a connection
    /// needs an offer, which `negotiationNeeded` asks for.
    ///
    /// Throws `ended` where the connection is closed.
    public func openChannel(
        _ label: String, _ options: DataChannel.Options = DataChannel.Options()
    ) async throws(HelioError) -> DataChannel {
        try await link.openChannel(label, options)
    }

    // MARK: Video

    /// Adds a track to send coded pictures on; the next offer or answer tells the peer.
    ///
    /// - Parameter stream: the name of the track's stream, for the peer's app: browsers play tracks of one stream in
    ///   step. A track that has no sound beside it in its stream is shown as soon as it comes.
    public func addVideoTrack(stream: String? = nil) async throws(HelioError) -> VideoTrack {
        let id = try await link.negotiate { try $0.addTrack(.video, stream: stream, now: $1) }
        return VideoTrack(number: id.rawValue, link: link)
    }

    /// Lets the peer send a video track; the next offer asks for it. An offer of the peer's needs none of this.
    public func receiveVideo() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.video, now: $1) }
    }

    // MARK: Sound

    /// Adds a track to send sound on; the next offer or answer tells the peer. The options have to say `hasSound`.
    ///
    /// - Parameters:
    ///   - stream: the name of the track's stream, for the peer's app: browsers play tracks of one stream in step, by
    ///     the times that they are sent with.
    ///   - receives: allows the peer to send sound by the same section.
    public func addAudioTrack(stream: String? = nil, receives: Bool = false) async throws(HelioError) -> AudioTrack {
        let id = try await link.negotiate { try $0.addTrack(.audio, stream: stream, receives: receives, now: $1) }
        return AudioTrack(number: id.rawValue, link: link)
    }

    /// Lets the peer send a track of sound; the next offer asks for it. An offer of the peer's needs none of this.
    public func receiveAudio() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.audio, now: $1) }
    }

    // MARK: The rest

    /// Requests a keyframe from the peer: the app's decoder can't go on without one.
    public func needKeyframe(on track: ReceivedTrack) async {
        await link.update { engine, now in
            if let id = engine.transceiver(numbered: track.number) {
                engine.decoderFailed(on: id, now: now)
            }
        }
    }

    /// The connection's state.
    public func state() async -> PeerState {
        await link.read(orElse: .closed) { PeerState($0.state) }
    }

    /// The connection's statistics so far: traffic, path and drops.
    public func statistics() async -> PeerStatistics {
        await link.read(orElse: PeerStatistics()) { PeerStatistics($0) }
    }

    /// Closes the connection: tells the peer, and frees everything. `events` ends.
    public func close() async { await link.close() }
}
