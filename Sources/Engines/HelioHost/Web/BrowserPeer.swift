import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioRemoteWire
import HelioSCTP
import HelioSDP
import HelioSession

/// A browser's peer connection at the host: answers its offers with a track of video and those of sound, knows its data
/// channels by their names, and decides when it has failed.
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
        /// The transfer channel can be written to.
        case transferOpen(files: FileToken?)
        /// A message of the transfer channel.
        case transfer([UInt8])
        /// The transfer channel takes more again.
        case transferRoom
        case transferClosed
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
    private var sounds: [SoundOrigin: WebSoundTrack] = [:]
    private var planner = SoundPlanner(takes: [.opus])
    /// When the plan of sound is next brought up to date.
    private var nextPlan: Instant?
    private static let planInterval = Duration.milliseconds(200)
    private var channels: [RemoteChannel: PeerChannelID] = [:]
    /// The channel of the clipboard; `nil` where the page has opened none.
    private var transfer: PeerChannelID?
    private static let transferLabel = "transfer"
    /// The most bytes of transfers that no packet has carried yet.
    private static let transferWindow = 64 << 10
    /// The candidates from before the answer, with which the browser could do nothing; `nil` once the answer is out.
    private var held: [TrickledCandidate?]? = []
    private var failure: String?

    init(_ engine: PeerEngine) { self.engine = engine }

    // MARK: Signalling

    /// The app's stream of the picture. libwebrtc keeps what is of one stream in step; all else is shown and heard as
    /// soon as it can be.
    private static let pictureStream = "screen"

    /// Answers the browser's offer: one track of video goes out, and one of each origin of sound, as far as it has
    /// sections to receive them by.
    ///
    /// - Parameter isInStep: true where the picture is to wait for the sound that belongs to it.
    /// - Returns: the answer, and the candidates to trickle behind it.
    func answer(
        _ offer: String, sound: Set<SoundOrigin>, isInStep: Bool = false, now: Instant
    ) throws(PeerConnectionError) -> (sdp: String, candidates: [TrickledCandidate?]) {
        try engine.takeOffer(offer, now: now)
        track = try engine.addTrack(.video, stream: Self.pictureStream, now: now)
        try addSound(sound, isInStep: isInStep, now: now)
        let sdp = try engine.makeAnswer(now: now)
        defer { held = nil }
        return (sdp, held ?? [])
    }

    /// The reason for which another offer is not taken.
    enum OfferRefusal: Error, CustomStringConvertible {
        /// It looks for another path: the picture's is not to be put at risk for sound.
        case otherPath
        case withoutPicture
        case unusable(PeerConnectionError)

        var description: String {
            switch self {
            case .otherPath: "it looks for another path"
            case .withoutPicture: "it gives up the picture"
            case .unusable(let error): "\(error)"
            }
        }
    }

    /// Answers another offer of the browser's on the connection that stands.
    ///
    /// Nothing has changed when an error is thrown, and all goes on as it was.
    func answerAgain(
        _ offer: String, sound: Set<SoundOrigin>, isInStep: Bool, now: Instant
    ) throws(OfferRefusal) -> String {
        let before = sounds
        do throws(PeerConnectionError) { try engine.takeOffer(offer, now: now) } catch { throw .unusable(error) }
        do throws(OfferRefusal) {
            guard !engine.isRestartOffered else { throw .otherPath }
            guard let track, !engine.endedByOffer.contains(track) else { throw .withoutPicture }
            let sdp: String
            do throws(PeerConnectionError) {
                try addSound(sound, isInStep: isInStep, now: now)
                sdp = try engine.makeAnswer(now: now)
            } catch {
                throw .unusable(error)
            }
            for (origin, track) in sounds where engine.agreement?.media(track.id) == nil { sounds[origin] = nil }
            return sdp
        } catch {
            try? engine.rollback(now: now)
            for (origin, track) in sounds where before[origin]?.id != track.id { try? engine.stop(track.id, now: now) }
            sounds = before
            throw error
        }
    }

    /// Gives the sections of audio that have nothing to send yet a track each.
    private func addSound(_ origins: Set<SoundOrigin>, isInStep: Bool, now: Instant) throws(PeerConnectionError) {
        let ended = engine.endedByOffer
        for origin in SoundOrigin.allCases where origins.contains(origin) {
            if let known = sounds[origin], !ended.contains(known.id) { continue }
            let isFree = engine.transceivers.contains {
                $0.kind == .audio && $0.sender == nil && !ended.contains($0.id)
            }
            guard isFree else { return }
            // The picture is of the machine: a microphone is in step with nothing.
            let stream = isInStep && origin == .system ? Self.pictureStream : "sound-\(origin.rawValue)"
            sounds[origin] = WebSoundTrack(
                try engine.addTrack(.audio, stream: stream, track: "sound-\(origin.rawValue)", now: now),
                planner.plan.encode)
        }
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

    /// What is wanted of each origin that the browser has agreed to receive.
    var soundDemand: [SoundOrigin: SoundDemand] {
        sounds.compactMapValues { track in
            guard engine.agreement?.media(track.id)?.direction.sends == true else { return nil }
            return SoundDemand(encodes: track.wanted, lossShare: planner.plan.lossShare)
        }
    }

    /// Sends a packet of sound, ahead of all video that waits, where it is of the encode that goes here.
    ///
    /// - Returns: whether it was sent.
    func send(_ sound: EncodedSound, now: Instant) -> Bool {
        guard sound.codec == .opus, let id = sounds[sound.origin]?.id, let media = engine.media,
            let agreed = engine.agreement?.media(id), agreed.direction.sends
        else { return false }
        planSound(media, now: now)
        guard sounds[sound.origin]?.takes(sound) == true, let track = sounds[sound.origin],
            let opus = agreed.sendType(RTPCodec.opus)
        else { return false }
        let largest = media.largestPayload(on: id) ?? 0
        let repeats = planner.plan.repeats
        if repeats > 0, let red = agreed.sendType(RTPCodec.red),
            let payload = track.redundant(sound, type: opus, repeats: repeats, largest: largest)
        {
            _ = media.choose(red, on: id)
            send(payload, sound, on: track, now: now)
        } else {
            _ = media.choose(opus, on: id)
            send(sound.payload, sound, on: track, now: now)
        }
        sounds[sound.origin]?.sent(sound)
        return true
    }

    private func send(_ payload: [UInt8], _ sound: EncodedSound, on track: WebSoundTrack, now: Instant) {
        engine.send(
            audio: payload, timestamp: UInt32(truncatingIfNeeded: sound.mediaTime),
            marker: sound.beginsTalk || track.begins, captured: sound.captured, on: track.id, now: now)
    }

    /// Has sound follow what is known of the path.
    private func planSound(_ media: MediaTransport, now: Instant) {
        if let nextPlan, now < nextPlan { return }
        nextPlan = now + Self.planInterval
        for track in sounds.values { planner.noteLoss(media.outbound(track.id)?.fractionLost ?? 0) }
        guard planner.update(media.soundPath, now: now) else { return }
        for origin in SoundOrigin.allCases { sounds[origin]?.change(to: planner.plan.encode) }
    }

    /// Notes that nothing of sound is sent for a while: what comes then begins anew.
    func pauseSound() { for origin in SoundOrigin.allCases { sounds[origin]?.pause() } }

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

    /// The bytes that the transfer channel takes now; `nil` where there is none.
    var transferRoom: Int? { transfer.map { max(0, Self.transferWindow - engine.bufferedAmount(of: $0)) } }

    /// Of the channels; it is measured with each flight, where the browser's reports come by the second.
    var channelRoundTrip: MeasuredRoundTrip? { engine.channelRoundTrip }

    /// Sends a message of the transfer channel. False where that can't be done.
    func send(transfer message: [UInt8], now: Instant) -> Bool {
        guard let transfer else { return false }
        do {
            try engine.send(.binary(message), on: transfer, now: now)
            return true
        } catch {
            return false
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
            if description.label == Self.transferLabel, transfer == nil {
                transfer = number
                engine.setBufferedAmountLowThreshold(Self.transferWindow / 2, of: number)
                return .transferOpen(files: FileToken(description.subprotocol))
            }
            guard let channel = RemoteChannel(rawValue: description.label), channels[channel] == nil else {
                engine.closeChannel(number, now: now)
                return nil
            }
            channels[channel] = number
            return channel == .control ? .controlOpen : nil
        case .message(let number, let message):
            if number == transfer { return .transfer(message.bytes) }
            return channel(number).map { .message(message.bytes, $0) }
        case .channelClosed(let number):
            if number == transfer {
                transfer = nil
                return .transferClosed
            }
            guard let channel = channel(number) else { return nil }
            channels[channel] = nil
            return channel == .control ? .failed(reason: "left") : nil
        case .media(.keyframeNeeded): return .keyframeNeeded
        case .media(.estimatedBitrate(let bitrate)): return .estimate(bitrate)
        case .bufferedAmountLow(let number): return number == transfer ? .transferRoom : nil
        case .media, .state, .negotiationNeeded, .negotiated, .relayFailed: return nil
        }
    }

    private func channel(_ number: PeerChannelID) -> RemoteChannel? { channels.first { $0.value == number }?.key }

    // MARK: Statistics

    /// Adds the numbers that only the connection knows.
    ///
    /// - Parameter hears: whether the browser is sent sound now.
    func complete(_ viewer: inout SourceHost.Statistics.Viewer, hears: Bool) {
        viewer.bytesSent = engine.statistics.bytesSent
        viewer.sound = SoundOrigin.allCases.compactMap { origin in
            guard let track = sounds[origin], let sent = engine.media?.outbound(track.id) else { return nil }
            return SourceMedia.SentSound(
                origin: origin, encode: hears ? track.encode : nil, repeats: planner.plan.repeats,
                packets: sent.packets,
                bytes: sent.bytes)
        }
        guard let sent = track.flatMap({ engine.media?.outbound($0) }) else { return }
        viewer.packetsSent = sent.packets + sent.retransmittedPackets
        viewer.resent = sent.retransmittedPackets
        viewer.roundTrip = sent.roundTrip
        viewer.loss = sent.fractionLost
    }
}

extension NegotiatedMedia {
    /// The payload type of a codec in packets to the peer; `nil` where that was not agreed on.
    fileprivate func sendType(_ codec: RTPCodec) -> PayloadType? {
        codecs.first { $0.codec.encoding == codec.encoding }?.sendPayloadType
    }
}
