public import HelioCore
private import HelioICE
internal import HelioOpenSSL
private import HelioPeer
internal import HelioPeerPort
private import HelioProtection
private import HelioSCTP
private import HelioSDP
private import HelioTURN

/// A connection to one WebRTC peer: a browser, for example, or another app.
///
/// One side makes an offer, the other side answers it, and both signal their candidates as they are found. The app
/// carries these texts from one side to the other. A peer whose certificate does not match the fingerprint in its
/// description is refused, so the connection is as secure as the signalling of the descriptions.
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
    /// The connection's events, for one reader; the sequence ends with the connection.
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

    /// Makes an offer and sets it as the local description; signal it to the peer. Candidates that are not known yet
    /// follow as events.
    ///
    /// - Parameter restartsICE: true to restart ICE, which looks for a new path and uses the old path for as long as
    ///   that works.
    ///
    /// Throws `protocolViolation` while another offer waits for its answer, `ended` if the connection is closed.
    public func makeOffer(restartsICE: Bool = false) async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeOffer(restartsICE: restartsICE, now: $1) }
    }

    /// Takes the peer's offer; answer it with `makeAnswer`. Throws `protocolViolation` if it is not valid.
    public func takeOffer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeOffer(description, now: $1) }
    }

    /// Makes the answer to the peer's offer; signal it to the peer. Throws `protocolViolation` if there is no offer to
    /// answer.
    public func makeAnswer() async throws(HelioError) -> String {
        try await link.negotiate { try $0.makeAnswer(now: $1) }
    }

    /// Takes the peer's answer to this end's offer. Throws `protocolViolation` if it is not valid.
    public func takeAnswer(_ description: String) async throws(HelioError) {
        try await link.negotiate { try $0.takeAnswer(description, now: $1) }
    }

    /// Rolls back the pending offer, whichever side made it. If both sides have made an offer at the same time, one of
    /// them has to roll back.
    public func rollback() async throws(HelioError) {
        try await link.negotiate { try $0.rollback(now: $1) }
    }

    /// Adds a candidate that the peer signalled; `nil` marks the end of the peer's candidates.
    public func addCandidate(_ candidate: String?) async throws(HelioError) {
        try await link.negotiate { try $0.addCandidate(candidate, now: $1) }
    }

    /// Returns this end's last description with the candidates found so far, for signalling that can't trickle; `nil`
    /// before the first description.
    public func localDescription() async -> String? {
        await link.read(orElse: nil) { $0.localDescription }
    }

    /// Waits until all candidates are found, then returns the description that contains all of them; `nil` before the
    /// first description.
    ///
    /// - Parameter patience: the longest wait; after it, the description contains the candidates found so far.
    public func completeDescription(patience: Duration = .seconds(5)) async -> String? {
        await link.waitForCandidates(patience)
        return await localDescription()
    }

    // MARK: Channels

    /// Opens a data channel. Messages can be sent after the event `channelOpened`. The first channel of a connection
    /// needs a new offer, as the event `negotiationNeeded` reports.
    ///
    /// Throws `ended` if the connection is closed, `invalidArgument` for a number that is taken or out of range or a
    /// label of more than 65535 bytes, `unsupported` if there are too many channels.
    public func openChannel(
        _ label: String, _ options: DataChannel.Options = DataChannel.Options()
    ) async throws(HelioError) -> DataChannel {
        try await link.openChannel(label, options)
    }

    // MARK: Video

    /// Adds a track for sending coded pictures; the next offer or answer announces it to the peer.
    ///
    /// - Parameter stream: the name of the track's stream, for the peer's app: browsers synchronise the tracks of one
    ///   stream. A track without sound in its stream is shown as soon as its pictures arrive.
    public func addVideoTrack(stream: String? = nil) async throws(HelioError) -> VideoTrack {
        let id = try await link.negotiate { try $0.addTrack(.video, stream: stream, now: $1) }
        return VideoTrack(number: id.rawValue, link: link)
    }

    /// Allows the peer to send a video track; the next offer asks for it. The call is not needed for tracks that the
    /// peer offers itself.
    public func receiveVideo() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.video, now: $1) }
    }

    // MARK: Sound

    /// Adds a track for sending sound; the next offer or answer announces it to the peer. Requires the option
    /// `hasSound`.
    ///
    /// - Parameters:
    ///   - stream: the name of the track's stream, for the peer's app: browsers synchronise the tracks of one stream,
    ///     by the times passed to `send`.
    ///   - receives: allows the peer to send sound in the same section.
    public func addAudioTrack(stream: String? = nil, receives: Bool = false) async throws(HelioError) -> AudioTrack {
        let id = try await link.negotiate { try $0.addTrack(.audio, stream: stream, receives: receives, now: $1) }
        return AudioTrack(number: id.rawValue, link: link)
    }

    /// Allows the peer to send a track of sound; the next offer asks for it. The call is not needed for tracks that the
    /// peer offers itself.
    public func receiveAudio() async throws(HelioError) {
        _ = try await link.negotiate { try $0.addReceiver(.audio, now: $1) }
    }

    // MARK: Keyframes, state, statistics, end

    /// Requests a keyframe from the peer, because the app's decoder can't continue without one.
    public func needKeyframe(on track: ReceivedTrack) async {
        await link.update { engine, now in
            if let id = engine.transceiver(numbered: track.number) {
                engine.decoderFailed(on: id, now: now)
            }
        }
    }

    /// Returns the connection's state.
    public func state() async -> PeerState {
        await link.read(orElse: .closed) { PeerState($0.state) }
    }

    /// Returns the connection's statistics so far: traffic, path and drops.
    public func statistics() async -> PeerStatistics {
        await link.read(orElse: PeerStatistics()) { PeerStatistics($0) }
    }

    /// Closes the connection: notifies the peer, and frees all resources. `events` ends.
    public func close() async { await link.close() }
}
