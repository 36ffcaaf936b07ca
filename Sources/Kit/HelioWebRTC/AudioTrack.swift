public import HelioCore
internal import HelioPeer
internal import HelioSDP

/// A track of sound that is sent to the peer, as Opus packets (RFC 6716) from the app's encoder.
public final class AudioTrack: Sendable {
    let number: Int
    private let link: PeerLink

    init(number: Int, link: PeerLink) {
        self.number = number
        self.link = link
    }

    /// Sends one packet at once, ahead of queued pictures. The packet is dropped if the peer has not accepted the
    /// track, or if the track was stopped.
    ///
    /// - Parameters:
    ///   - packet: one packet of Opus, 1000 bytes at most.
    ///   - time: the time of its first sample, on a monotonic clock with an origin of the app's choosing. All tracks of
    ///     one stream share one clock, by which peers synchronise them.
    ///   - beginsTalk: true for the first packet after a pause.
    public func send(_ packet: [UInt8], at time: Duration, beginsTalk: Bool = false) async {
        // The RTP clock of Opus always has 48 000 ticks a second (RFC 7587 section 4.1).
        let (seconds, attoseconds) = time.components
        let ticks = seconds &* 48_000 &+ attoseconds / 20_833_333_333_333
        await link.update { [self] engine, now in
            guard let id = engine.transceiver(numbered: number) else { return engine.dropUnsent() }
            let captured = link.captured(time, on: id, of: engine, now: now)
            engine.send(
                audio: packet, timestamp: UInt32(truncatingIfNeeded: ticks), marker: beginsTalk, captured: captured,
                on: id, now: now)
        }
    }

    /// Returns true if the peer accepts the track according to the last offer and answer.
    public func isWanted() async -> Bool {
        await link.read(orElse: false) { [number] engine in
            guard let id = engine.transceiver(numbered: number) else { return false }
            return engine.agreement?.media(id)?.direction.sends ?? false
        }
    }

    /// Sets the direction of the track's section, for example to mute the track. The next offer or answer announces it
    /// to the peer; media are sent only in directions that both ends allow. A track that the peer sends in this section
    /// keeps its identity.
    ///
    /// Throws `protocolViolation` if the track was stopped, `ended` if the connection is closed.
    public func setDirection(_ direction: TrackDirection) async throws(HelioError) {
        try await link.negotiate { [number] engine, now in
            guard let id = engine.transceiver(numbered: number) else {
                throw HelioError(.protocolViolation, "The track was stopped")
            }
            try engine.setDirection(MediaDirection(direction), of: id, now: now)
        }
    }

    /// Stops the track; the next offer announces the stop to the peer.
    public func stop() async {
        _ = try? await link.run { [number] engine, now in
            guard let id = engine.transceiver(numbered: number) else { return }
            try engine.stop(id, now: now)
        }
    }
}

extension MediaDirection {
    fileprivate init(_ direction: TrackDirection) {
        self =
            switch direction {
            case .sendAndReceive: .sendrecv
            case .sendOnly: .sendonly
            case .receiveOnly: .recvonly
            case .inactive: .inactive
            }
    }
}
