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
/// One side makes an offer, the other answers it, and both signal their candidates as they come; how texts get from one
/// side to the other is the app's business. Nobody can take part whose certificate is not the one of the description, so
/// the connection is as safe as the way the descriptions went.
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
    /// What happens; ends with the connection. For one reader.
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
                    HelioPeer.PeerConnection(
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

    /// Makes an offer, which holds on this side at once; signal it to the peer. Candidates that are not known yet follow
    /// as events.
    ///
    /// - Parameter restartsICE: looks for a path anew, while the old one carries on as long as it can.
    ///
    /// Throws `protocolViolation` while another offer waits for its answer.
    public func makeOffer(restartsICE: Bool = false) async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeOffer(restartsICE: restartsICE, now: $1) }
    }

    /// Takes the peer's offer, which then waits for `makeAnswer`. Throws `protocolViolation` for what is none.
    public func takeOffer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeOffer(description, now: $1) }
    }

    /// Answers the peer's offer; signal it to the peer.
    public func makeAnswer() async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeAnswer(now: $1) }
    }

    /// Takes the peer's answer to this end's offer. Throws `protocolViolation` for what is none.
    public func takeAnswer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeAnswer(description, now: $1) }
    }

    /// Forgets the offer that waits, whoever made it: what one side does where both offered at once.
    public func rollback() async throws(HelioError) {
        try await link.negotiate { try $0.rollback(now: $1) }
    }

    /// Takes a candidate of the peer's, as its side told it; `nil` says that there are no more.
    public func addCandidate(_ candidate: String?) async throws(HelioError) {
        try await link.negotiate { try $0.addCandidate(candidate, now: $1) }
    }

    /// This end's last description with the candidates that are known by now, for signalling that can't trickle; `nil`
    /// before the first.
    public func localDescription() async -> String? {
        await link.read(orElse: nil) { $0.localDescription }
    }

    /// Waits until all candidates are known, then gives the description that has them all.
    ///
    /// - Parameter patience: what is known by then has to do.
    public func completeDescription(patience: Duration = .seconds(5)) async -> String? {
        await link.waitForCandidates(patience)
        return await localDescription()
    }

    // MARK: Channels

    /// Opens a data channel. Messages can be sent once `channelOpened` has told so; the first channel of a connection
    /// needs an offer, which `negotiationNeeded` asks for.
    ///
    /// Throws `ended` on a connection that is over.
    public func openChannel(
        _ label: String, _ options: DataChannel.Options = DataChannel.Options()
    ) async throws(HelioError) -> DataChannel {
        try await link.openChannel(label, options)
    }

    // MARK: Video

    /// Makes a track to send coded pictures on; the next offer or answer tells the peer.
    ///
    /// - Parameter stream: names what is sent, for the peer's app: browsers play tracks of one name in step. A track that
    ///   has no sound beside it in its stream is shown as soon as it comes.
    public func addVideoTrack(stream: String? = nil) async throws(HelioError) -> VideoTrack {
        let id = try await link.negotiate { try $0.addTrack(.video, stream: stream, now: $1) }
        return VideoTrack(number: id.rawValue, link: link)
    }

    /// Lets the peer send a track of pictures; the next offer asks for it. An offer of the peer's needs none of this.
    public func receiveVideo() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.video, now: $1) }
    }

    // MARK: Sound

    /// Makes a track to send sound on; the next offer or answer tells the peer. The options have to say `hasSound`.
    ///
    /// - Parameter stream: names what is sent, for the peer's app: browsers play tracks of one name in step.
    public func addAudioTrack(stream: String? = nil) async throws(HelioError) -> AudioTrack {
        let id = try await link.negotiate { try $0.addTrack(.audio, stream: stream, now: $1) }
        return AudioTrack(number: id.rawValue, link: link)
    }

    /// Lets the peer send a track of sound; the next offer asks for it. An offer of the peer's needs none of this.
    public func receiveAudio() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.audio, now: $1) }
    }

    // MARK: The rest

    /// The app's decoder can't go on: the peer is asked for a keyframe.
    public func needKeyframe(on track: ReceivedTrack) async {
        await link.update { engine, now in
            if let id = engine.transceiver(numbered: track.number) {
                engine.decoderFailed(on: id, now: now)
            }
        }
    }

    /// How far the connection has come.
    public func state() async -> PeerState {
        await link.read(orElse: .closed) { PeerState($0.state) }
    }

    /// What went through, and what was thrown away.
    public func statistics() async -> PeerStatistics {
        await link.read(orElse: PeerStatistics()) { PeerStatistics($0) }
    }

    /// Tells the peer, and lets go of everything. `events` ends.
    public func close() async { await link.close() }
}
