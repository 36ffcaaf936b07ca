import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioRemoteWire
import HelioSCTP
import HelioSDP

/// A browser's peer connection at the host: answers its offer with one track, knows its data channels by their names,
/// and decides when it has failed.
///
/// The engine is shared with the driver, which brings it datagrams and time and hands its events back here; after each
/// call to it from here, the driver has to be told by `WebOutput.Peer.run`.
final class BrowserPeer {
    /// A change of the connection that its owner has to act on.
    enum Happening {
        /// A candidate to trickle to the browser; `nil`: there are no more.
        case candidate(TrickledCandidate?)
        case connected
        /// The channel `control` can be written to.
        case controlOpen
        case message([UInt8], RemoteChannel)
        /// The browser lost the picture, or its path was too slow for it.
        case keyframeNeeded
        /// An estimate of what its path carries.
        case estimate(Bitrate)
        /// The connection has failed for good.
        case failed(reason: String)
    }

    let engine: PeerEngine
    /// The track of video; `nil` until the offer is answered.
    private var track: Transceiver.ID?
    private var channels: [RemoteChannel: PeerChannelID] = [:]
    /// The candidates from before the answer, with which the browser could do nothing; `nil` once the answer is out.
    private var held: [TrickledCandidate?]? = []
    private var failure: String?

    init(_ engine: PeerEngine) { self.engine = engine }

    // MARK: Signalling

    /// Answers the browser's offer: one track of video goes out.
    ///
    /// - Returns: the answer, and the candidates to trickle behind it.
    func answer(
        _ offer: String, now: Instant
    ) throws(PeerConnectionError) -> (sdp: String, candidates: [TrickledCandidate?]) {
        try engine.takeOffer(offer, now: now)
        track = try engine.addTrack(.video, stream: "screen", now: now)
        let sdp = try engine.makeAnswer(now: now)
        defer { held = nil }
        return (sdp, held ?? [])
    }

    /// Adds a candidate of the browser's; `nil`: there are no more. One that can't be read is left out.
    func add(_ candidate: TrickledCandidate?, now: Instant) {
        try? engine.addCandidate(candidate?.candidate, now: now)
    }

    // MARK: What goes out

    /// The largest payload of a slice that goes here; `nil` before the answer.
    var largestPayload: PacketizedSlice.Limits? {
        track.flatMap { engine.media?.largestPayload(on: $0) }.map { PacketizedSlice.Limits(last: $0, other: $0) }
    }

    func send(_ slice: borrowing PacketizedSlice, now: Instant) {
        guard let track else { return }
        engine.send(slice, on: track, now: now)
    }

    /// Sends a text message, where the browser has opened the channel.
    ///
    /// - Returns: false where the browser leaves too much unread to be told anything more.
    func send(_ message: [UInt8], on channel: RemoteChannel, now: Instant) -> Bool {
        guard let number = channels[channel] else { return true }
        do {
            try engine.send(.text(message), on: number, now: now)
            return true
        } catch {
            // A position of the pointer is soon out of date; a browser that leaves all else unread reads nothing any
            // more.
            return channel != .control
        }
    }

    /// The rate that the path is taken to carry; `nil` before the answer.
    var estimatedBitrate: Bitrate? { engine.media?.estimatedBitrate }
    /// The rate that the path was seen to carry; `nil` where it was never measured.
    var carriedBitrate: Bitrate? { engine.media?.carriedBitrate }

    /// When to ask again, while a keyframe would only make a full queue longer; `nil`: there is room for one.
    func overfullDeadline(now: Instant) -> Deadline? { engine.media?.overfullDeadline(now: now) }

    // MARK: What comes of it

    func handle(_ event: PeerConnectionEvent, now: Instant) -> Happening? {
        switch event {
        case .candidate(let text):
            // All sections share one transport: the first stands for it.
            let candidate = text.map { TrickledCandidate(candidate: $0, sdpMid: nil, sdpMLineIndex: 0) }
            guard held == nil else {
                held?.append(candidate)
                return nil
            }
            return .candidate(candidate)
        case .failed(let failure):
            self.failure = failure.description
            return nil
        case .state(.connected): return .connected
        case .state(.failed): return .failed(reason: failure ?? "no way to it is left")
        case .state(.closed): return .failed(reason: failure ?? "left")
        case .channelOpened(let number, let description, _):
            guard let channel = RemoteChannel(rawValue: description.label), channels[channel] == nil else {
                engine.closeChannel(number, now: now)
                return nil
            }
            channels[channel] = number
            return channel == .control ? .controlOpen : nil
        case .message(let number, let message):
            return channel(number).map { .message(message.bytes, $0) }
        case .channelClosed(let number):
            guard let channel = channel(number) else { return nil }
            channels[channel] = nil
            return channel == .control ? .failed(reason: "left") : nil
        case .media(.keyframeNeeded): return .keyframeNeeded
        case .media(.estimatedBitrate(let bitrate)): return .estimate(bitrate)
        case .media, .state, .negotiationNeeded, .negotiated, .bufferedAmountLow, .relayFailed: return nil
        }
    }

    private func channel(_ number: PeerChannelID) -> RemoteChannel? { channels.first { $0.value == number }?.key }

    // MARK: Statistics

    /// Adds the numbers that only the connection knows.
    func complete(_ viewer: inout SourceHost.Statistics.Viewer) {
        viewer.bytesSent = engine.statistics.bytesSent
        guard let sent = track.flatMap({ engine.media?.outbound($0) }) else { return }
        viewer.packetsSent = sent.packets + sent.retransmittedPackets
        viewer.resent = sent.retransmittedPackets
        viewer.roundTrip = sent.roundTrip
        viewer.loss = sent.fractionLost
    }
}
