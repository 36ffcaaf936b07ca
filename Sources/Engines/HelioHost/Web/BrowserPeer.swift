import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP
import HelioRemoteWire
import HelioSCTP
import HelioSDP
import HelioSession

/// A browser's peer connection at the host: answers the browser's offers with a video track and audio tracks, maps data
/// channels by their labels, and decides when the connection has failed.
///
/// The driver shares the engine: it passes datagrams and time to it, and returns its events. After each call to the
/// engine by this class, the driver must be sent `WebOutput.Peer.run`.
final class BrowserPeer {
    /// A change of the connection that its owner has to handle.
    enum Happening {
        /// An ICE candidate to trickle to the browser; `nil` marks the end of candidates.
        case candidate(TrickledCandidate?)
        case connected
        /// The channel `control` is open.
        case controlOpen
        case message([UInt8], RemoteChannel)
        /// The transfer channel is open.
        case transferOpen(files: FileToken?)
        /// A message of the transfer channel.
        case transfer([UInt8])
        /// The transfer channel accepts more bytes again.
        case transferRoom
        case transferClosed
        /// The browser needs a keyframe, as it lost the picture or its path was too slow.
        case keyframeNeeded
        /// The browser, or the page that decodes the picture, needs a repair picture in place of frames that it lost.
        case repairNeeded(RepairWish)
        /// A new estimate of the path's bitrate.
        case estimate(Bitrate)
        /// The connection has failed for good.
        case failed(reason: String)
    }

    let engine: PeerEngine
    /// The video track; `nil` until the offer is answered.
    private var track: Transceiver.ID?
    private var sounds: [SoundOrigin: WebSoundTrack] = [:]
    /// The cached value of `soundDemand`; `nil` if it must be computed again, as an answer, the plan or a track's
    /// encoding has changed.
    private var knownDemand: [SoundOrigin: SoundDemand]?
    private var planner = SoundPlanner(takes: [.opus])
    private var pace = SoundTimePace()
    /// The time of the next update of the sound plan.
    private var nextPlan: Instant?
    private static let planInterval = Duration.milliseconds(200)
    private var channels: [RemoteChannel: PeerChannelID] = [:]
    /// The transfer channel, for clipboard and files; `nil` if the page has opened none.
    private var transfer: PeerChannelID?
    private static let transferLabel = "transfer"
    /// The limit of bytes buffered in the transfer channel that have not been sent yet.
    private static let transferWindow = 64 << 10
    /// The local candidates found so far, held until the answer is sent, as the browser can't use them earlier; `nil`
    /// afterwards.
    private var held: [TrickledCandidate?]? = []
    private var failure: String?

    init(_ engine: PeerEngine) { self.engine = engine }

    // MARK: Signalling

    /// The ID of the picture's media stream. libwebrtc plays the tracks of one stream in sync, and other tracks as soon
    /// as possible.
    private static let pictureStream = "screen"

    /// Answers the browser's offer: with one video track, and one audio track for each origin of sound, as far as the
    /// offer has sections for them.
    ///
    /// - Parameter isInStep: true if the browser is to play the picture in sync with the machine's sound, for which it
    ///   may delay the picture.
    /// - Returns: the answer, and the candidates to trickle after it.
    func answer(
        _ offer: String, sound: Set<SoundOrigin>, isInStep: Bool = false, now: Instant
    ) throws(PeerConnectionError) -> (sdp: String, candidates: [TrickledCandidate?]) {
        defer { knownDemand = nil }
        try engine.takeOffer(offer, now: now)
        track = try engine.addTrack(.video, stream: Self.pictureStream, now: now)
        try addSound(sound, isInStep: isInStep, now: now)
        let sdp = try engine.makeAnswer(now: now)
        defer { held = nil }
        return (sdp, held ?? [])
    }

    /// The reason for which a further offer is refused.
    enum OfferRefusal: Error, CustomStringConvertible {
        /// The offer restarts ICE, which could interrupt the picture.
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

    /// Answers a further offer from the browser on the existing connection.
    ///
    /// The connection is unchanged if an error is thrown.
    func answerAgain(
        _ offer: String, sound: Set<SoundOrigin>, isInStep: Bool, now: Instant
    ) throws(OfferRefusal) -> String {
        let before = sounds
        defer { knownDemand = nil }
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
            pace.restart(isInStep: isInStep)
            return sdp
        } catch {
            try? engine.rollback(now: now)
            for (origin, track) in sounds where before[origin]?.id != track.id { try? engine.stop(track.id, now: now) }
            sounds = before
            throw error
        }
    }

    /// Adds an audio track for each origin that has none, as long as the offer has free audio sections.
    private func addSound(_ origins: Set<SoundOrigin>, isInStep: Bool, now: Instant) throws(PeerConnectionError) {
        let ended = engine.endedByOffer
        for origin in SoundOrigin.allCases where origins.contains(origin) {
            if let known = sounds[origin], !ended.contains(known.id) { continue }
            let isFree = engine.transceivers.contains {
                $0.kind == .audio && $0.sender == nil && !ended.contains($0.id)
            }
            guard isFree else { return }
            // The picture shows the machine's screen, so it is in sync only with the machine's sound, not with the
            // microphone's.
            let stream = isInStep && origin == .system ? Self.pictureStream : "sound-\(origin.rawValue)"
            sounds[origin] = WebSoundTrack(
                try engine.addTrack(.audio, stream: stream, track: "sound-\(origin.rawValue)", now: now),
                planner.plan.encode)
        }
    }

    /// Adds an ICE candidate of the browser; `nil` marks the end of candidates. An invalid candidate is ignored.
    func add(_ candidate: TrickledCandidate?, now: Instant) {
        try? engine.addCandidate(candidate?.candidate, now: now)
    }

    // MARK: Sending

    /// The maximum payload sizes of a slice's packets, in bytes; `nil` before the answer.
    var largestPayload: PacketizedSlice.Limits? {
        track.flatMap { engine.media?.largestPayload(on: $0) }.map { PacketizedSlice.Limits(last: $0, other: $0) }
    }

    func send(_ slice: borrowing PacketizedSlice, now: Instant) {
        guard let track else { return }
        engine.send(slice, on: track, now: now)
    }

    /// The sound demand for each origin whose track the browser has agreed to receive.
    var soundDemand: [SoundOrigin: SoundDemand] {
        if let knownDemand { return knownDemand }
        let demand = sounds.compactMapValues { track -> SoundDemand? in
            guard engine.agreement?.media(track.id)?.direction.sends == true else { return nil }
            return SoundDemand(encodes: track.wanted, lossShare: planner.plan.lossShare)
        }
        knownDemand = demand
        return demand
    }

    /// Sends a packet of sound, ahead of all waiting video; ignores a packet of an encoding that is not in use.
    ///
    /// - Returns: whether it was sent.
    func send(_ sound: EncodedSound, now: Instant) -> Bool {
        guard sound.codec == .opus, let id = sounds[sound.origin]?.id, let media = engine.media,
            let agreed = engine.agreement?.media(id), agreed.direction.sends
        else { return false }
        planSound(media, now: now)
        let encode = sounds[sound.origin]?.encode
        guard sounds[sound.origin]?.takes(sound) == true, let track = sounds[sound.origin] else { return false }
        if track.encode != encode { knownDemand = nil }
        guard let opus = agreed.sendType(RTPCodec.opus) else { return false }
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

    /// Returns the message by which a page that keeps picture and sound in step relates the times of both: before the
    /// first packet of a track, and when the clock of the sound has drifted. The timestamps of each are
    /// offset by a random number, and only sender reports, which pages can't read, relate them otherwise.
    func pollSoundTime(_ sound: EncodedSound, now: Instant) -> HostMessage? {
        guard sound.origin == .system, let track, let media = engine.media, let id = sounds[.system]?.id,
            pace.isDue(mediaTime: sound.mediaTime, captured: sound.captured, now: now),
            let soundOffset = media.timestampOffset(on: id), let pictureOffset = media.timestampOffset(on: track)
        else { return nil }
        return .soundTime(
            at: UInt32(truncatingIfNeeded: sound.mediaTime) &+ soundOffset,
            picture: MediaClock.timestamp(sound.captured) &+ pictureOffset)
    }

    /// Adapts encoding and redundancy of sound to the state of the path.
    private func planSound(_ media: MediaTransport, now: Instant) {
        if let nextPlan, now < nextPlan { return }
        nextPlan = now + Self.planInterval
        for track in sounds.values { planner.noteLoss(media.outbound(track.id)?.fractionLost ?? 0) }
        guard planner.update(media.soundPath, now: now) else { return }
        knownDemand = nil
        for origin in SoundOrigin.allCases { sounds[origin]?.change(to: planner.plan.encode) }
    }

    /// Notes that no sound is sent for a while: the next packet of each track begins a talkspurt.
    func pauseSound() { for origin in SoundOrigin.allCases { sounds[origin]?.pause() } }

    /// The ID of a data channel; `nil` if the browser has not opened it.
    func number(of channel: RemoteChannel) -> PeerChannelID? { channels[channel] }

    /// The number of bytes that the transfer channel accepts now; `nil` if it is not open.
    var transferRoom: Int? { transfer.map { max(0, Self.transferWindow - engine.bufferedAmount(of: $0)) } }

    /// The round trip measured on the data channels, once for each flight; the browser's media reports arrive only once
    /// a second.
    var channelRoundTrip: MeasuredRoundTrip? { engine.channelRoundTrip }

    /// Sends a message on the transfer channel; returns false if that fails.
    func send(transfer message: [UInt8], now: Instant) -> Bool {
        guard let transfer else { return false }
        do {
            try engine.send(.binary(message), on: transfer, now: now)
            return true
        } catch {
            return false
        }
    }

    /// The estimated bitrate of the path; `nil` before the answer.
    var estimatedBitrate: Bitrate? { engine.media?.estimatedBitrate }
    /// The measured bitrate of the path; `nil` if it was never measured.
    var carriedBitrate: Bitrate? { engine.media?.carriedBitrate }

    /// The time at which to check a congested path again, on which a keyframe would only lengthen the queue; `nil` if
    /// the path is not congested.
    func overfullDeadline(now: Instant) -> Deadline? { engine.media?.overfullDeadline(now: now) }

    // MARK: Pictures that the page decodes

    /// True if dependency descriptors are negotiated: packets name the frames that each frame refers to, so the browser
    /// delivers each frame with complete references to the page, even after earlier losses.
    var hasDependencies: Bool { track.flatMap { engine.media?.describesFrames(on: $0) } ?? false }

    /// Sets whether the page decodes the pictures itself.
    ///
    /// - Parameter repairs: `nil` if the browser decodes them. With `true`, the page supports repair pictures and
    ///   reports all losses by `pictureLost`, so the browser's PLI and FIR are ignored. Without dependency descriptors,
    ///   `true` has the effect of `false`: while packets are missing, the browser withholds even a repair picture from
    ///   the page, until a keyframe arrives.
    func setOwnPicture(repairs: Bool?, now: Instant) {
        guard let track else { return }
        engine.setTakesRepairs(repairs == true && hasDependencies, on: track, now: now)
    }

    /// Handles the page's report that it can't show the frames after the frame with the RTP timestamp `whole`; `nil` if
    /// it can resume only with a keyframe. `repairNeeded` or `keyframeNeeded` follows, unless such a picture is on its
    /// way.
    func pictureLost(whole: UInt32?, now: Instant) {
        guard let track else { return }
        engine.pictureLost(after: whole, on: track, now: now)
    }

    // MARK: Events

    func handle(_ event: PeerConnectionEvent, now: Instant) -> Happening? {
        switch event {
        case .candidate(let text):
            // All sections share one transport, so candidates name the first section.
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
        case .media(.repairNeeded(let wish, _)): return .repairNeeded(wish)
        case .media(.estimatedBitrate(let bitrate)): return .estimate(bitrate)
        case .bufferedAmountLow(let number): return number == transfer ? .transferRoom : nil
        case .media, .state, .path, .plain, .negotiationNeeded, .negotiated, .relayFailed: return nil
        }
    }

    /// The data channel with this number; `nil` for the transfer channel, and for a closed channel.
    func channel(_ number: PeerChannelID) -> RemoteChannel? { channels.first { $0.value == number }?.key }

    // MARK: Statistics

    /// Adds the statistics that only the peer connection has.
    ///
    /// - Parameter hears: true if sound packets are sent to the browser now.
    func complete(_ viewer: inout SourceHost.Statistics.Viewer, hears: Bool) {
        viewer.bytesSent = engine.statistics.bytesSent
        viewer.sound = SoundOrigin.allCases.compactMap { origin in
            guard let track = sounds[origin], let sent = engine.media?.outbound(track.id) else { return nil }
            return SentSound(
                origin: origin, encode: hears ? track.encode : nil, repeats: planner.plan.repeats,
                packets: sent.packets, bytes: sent.bytes, loss: sent.fractionLost)
        }
        guard let sent = track.flatMap({ engine.media?.outbound($0) }) else { return }
        viewer.packetsSent = sent.packets + sent.retransmittedPackets
        viewer.stream = sent
        viewer.loss = sent.fractionLost
    }
}

extension NegotiatedMedia {
    /// The payload type of a codec in packets to the peer; `nil` if it was not agreed on.
    fileprivate func sendType(_ codec: RTPCodec) -> PayloadType? {
        codecs.first { $0.codec.encoding == codec.encoding }?.sendPayloadType
    }
}
