internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
package import HelioRTP
import HelioSDP

/// The RTP and RTCP of one peer connection, before encryption and after decryption: streams in both directions in the
/// agreed sections, on one transport (BUNDLE).
///
/// Video goes out in ``PacketizedSlice``s, which any number of transports share; sequence numbers, timestamps and
/// header extensions are each transport's own. Video comes out as whole frames that can be decoded, everything else
/// packet by packet.
///
/// Memory is bounded: for sending by the configurations of pacers and histories, for receiving by those of the jitter
/// buffers. The peer alone can't add a section.
package final class MediaTransport: Engine {
    /// A packet of the peer's: decrypted, genuine, and not seen before.
    package enum Input: Sendable {
        case rtp([UInt8], SRTPReceiver.OpenedRTP)
        case rtcp([UInt8])
    }

    package enum Output: Sendable {
        /// A packet to be encrypted and sent.
        case rtp([UInt8], headerLength: Int, sequence: ExtendedSequence)
        /// Like `rtp`, but the encrypted packet has to be kept for `again`: the peer requests lost packets and takes
        /// them only unchanged, and encrypting one again would use a nonce twice.
        case keptRTP([UInt8], headerLength: Int, sequence: ExtendedSequence)
        /// The kept packet with this sequence number has to be sent again unchanged.
        case again(SSRC, ExtendedSequence)
        /// A compound packet to be encrypted and sent.
        case rtcp([UInt8])
        case event(Event)
    }

    package enum Event: Sendable {
        /// A whole frame, in order; every frame that it refers to was reported before.
        case frame(ReceivedFrame, Transceiver.ID)
        /// The orientation of the frames from the next one on.
        case orientation(VideoOrientation, Transceiver.ID)
        /// A packet of a codec that is not depacketized here, such as audio.
        case packet(ReceivedPacket, Transceiver.ID)
        /// The next frame that is sent has to be a keyframe.
        case keyframeNeeded(Transceiver.ID)
        /// The bitrate estimated for video on the path to the peer, all its streams together, has changed.
        case estimatedBitrate(Bitrate)
        /// The peer's stream has ended; another may follow in its section.
        case goodbye(Transceiver.ID)
    }

    /// The mean time between reports. RFC 3550 section 6.2 prescribes longer ones at low bitrates, but browsers report
    /// about this often.
    static let reportInterval = Duration.seconds(1)
    /// The approximate overhead of an audio packet, in bytes: header, extensions and encryption.
    private static let soundOverhead = 44

    let configuration: MediaTransportConfiguration
    private var random: any RandomNumberGenerator & Sendable
    var media: [NegotiatedMedia] = []
    var senders = SectionTable<OutgoingSection>()
    var receivers = SectionTable<StreamReceiver>()
    var directory = StreamDirectory()
    var estimator: BandwidthEstimator
    private var planner = MediaTransport.planner
    /// The share of the path that parity and retransmissions leave to media, where there is parity.
    private var mediaShare = MediaShare()
    /// The measured bitrate of the audio sent.
    private var soundRate = SoundRate()
    var arrivals = TransportArrivals()
    var incomingRate: IncomingRate
    /// The IDs of the header extensions read from every packet; the same in all sections.
    var transportSequenceID: UInt8?
    var sendTimeID: UInt8?
    var orientationID: UInt8?
    var isOpen = false
    var counted = DropCounter<MediaDrop>()
    /// The drop counts of streams that have ended.
    private var pastDrops: [String: Int] = [:]
    private var announced: Bitrate?
    var nextReport: Instant?
    private var outputs = Deque<Output>()

    /// - Parameter random: the driver's secure generator, from which first sequence numbers and timestamps are drawn.
    package init(
        _ configuration: MediaTransportConfiguration, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.configuration = configuration
        self.random = random
        estimator = BandwidthEstimator(
            most: configuration.mostBitrate, start: configuration.startBitrate, isTransportWide: false)
        incomingRate = IncomingRate(most: configuration.mostBitrate)
    }

    // MARK: Agreements

    /// Applies an agreement. Streams that remain keep their sequence numbers, buffers and counts.
    package func apply(_ media: [NegotiatedMedia], senders streams: [Transceiver.ID: SendingStream], now: Instant) {
        self.media = media
        directory.agree(media, now: now)
        transportSequenceID = receivedID(TransportSequence.uri) { $0.isTransportWide }
        sendTimeID = receivedID(AbsoluteSendTime.uri)
        orientationID = receivedID(VideoOrientation.uri)
        endSenders(streams, now: now)
        for section in media {
            let id = section.transceiver
            if let stream = streams[id] {
                if senders[id] == nil, section.direction.sends {
                    senders[id] = OutgoingSection(stream, section, configuration, random: &random)
                }
                senders[id]?.agree(section, playsInStep: isInStep(section, media, streams))
            }
            if let receiver = receivers[id] {
                agree(receiver, section)
            } else if section.direction.receives {
                let receiver = StreamReceiver(receiverConfiguration)
                receivers[id] = receiver
                agree(receiver, section)
            }
        }
        let agreed = Set(media.map(\.transceiver))
        for (id, sender) in senders where !agreed.contains(id) { sender.stream.pause() }
        for (id, receiver) in receivers where !agreed.contains(id) {
            receiver.addDrops(to: &pastDrops)
            receivers[id] = nil
        }
        estimator.setTransportWide(
            media.contains { $0.direction.sends && $0.kind == .video && $0.isTransportWide }, now: now)
        share(estimator.estimate)
        pump(now)
    }

    private var receiverConfiguration: StreamReceiver.Configuration {
        var configuration = StreamReceiver.Configuration(.proven)
        configuration.jitterBuffer.longestWait = self.configuration.longestWait
        configuration.jitterBuffer.leastRoundTrips = 2
        configuration.jitterBuffer.keyframesHaveParameterSets = false
        return configuration
    }

    private func agree(_ receiver: StreamReceiver, _ section: NegotiatedMedia) {
        receiver.isActive = section.direction.receives
        let flexFEC = section.parity.map {
            StreamReceiver.FlexFEC(
                payloadType: $0.receivePayloadType, sources: section.remote.parities,
                stamped: [transportSequenceID, sendTimeID].compactMap { $0 })
        }
        receiver.agree(
            section.receivable.map(\.receiveFormat), retransmissions: section.remote.retransmissions, flexFEC: flexFEC)
    }

    private static var planner: ParityPlanner {
        var configuration = ParityPlanner.Configuration()
        configuration.reach = .oneOfEach
        // A libwebrtc that only receives repeats a NACK after 100 ms until it has learnt the round trip, and checks
        // every 20 ms. A picture that waits for a second NACK is late on any path, so parity is worth its price
        // earlier.
        configuration.leastRepeat = .milliseconds(120)
        return ParityPlanner(configuration)
    }

    /// Plans the parity of all streams from the peer's feedback on the path.
    func planParity(now: Instant) {
        let protected = senders.values.filter { $0.stream.hasParity }
        guard let roundTrip = protected.first.map({ $0.stream.statistics.roundTrip ?? estimator.answerTime }) else {
            return
        }
        planner.update(estimator.losses, roundTrip: roundTrip, least: estimator.answerTime, now: now)
        for sender in protected { sender.stream.parityPlan = planner.plan }
        let sent = protected.map(\.stream.statistics)
        mediaShare.update(
            media: sent.reduce(0) { $0 + $1.bytes },
            repair: sent.reduce(0) { $0 + $1.parityBytes + $1.retransmittedBytes }, now: now)
    }

    /// Returns whether the peer plays the video in step with audio: both belong to one stream of the app.
    private func isInStep(
        _ section: NegotiatedMedia, _ media: [NegotiatedMedia], _ streams: [Transceiver.ID: SendingStream]
    ) -> Bool {
        guard section.kind == .video, let name = streams[section.transceiver]?.stream else { return false }
        return media.contains {
            $0.kind == .audio && $0.direction.sends && streams[$0.transceiver]?.stream == name
        }
    }

    /// Ends the streams whose SSRCs are no longer the transceiver's, with a BYE for each that has sent packets.
    private func endSenders(_ streams: [Transceiver.ID: SendingStream], now: Instant) {
        var gone: [SSRC] = []
        for (id, sender) in senders where streams[id]?.ssrc != sender.names.ssrc {
            if sender.stream.statistics.packets > 0 { gone.append(sender.names.ssrc) }
            sender.addDrops(to: &pastDrops)
            senders[id] = nil
        }
        if !gone.isEmpty { putGoodbye(gone.sorted { $0.rawValue < $1.rawValue }) }
    }

    private func receivedID(_ uri: String, where condition: (NegotiatedMedia) -> Bool = { _ in true }) -> UInt8? {
        media.lazy.filter(condition).compactMap { $0.headerExtension(uri) }.first { $0.canReceive && $0.id > 0 }?.id
    }

    /// Starts sending, as packets can be encrypted from now on: streams begin, and keyframes are requested.
    package func open(now: Instant) {
        guard !isOpen else { return }
        isOpen = true
        nextReport = now + Self.reportInterval / 2
        estimator.open(now: now)
        pump(now)
    }

    /// Sends BYE for all streams; nothing is sent after that.
    package func close(now: Instant) {
        guard isOpen else { return }
        let sending = senders.values.filter { $0.stream.statistics.packets > 0 }.map(\.names.ssrc)
        putGoodbye(sending.isEmpty ? [feedbackSSRC] : sending.sorted { $0.rawValue < $1.rawValue })
        for sender in senders.values { sender.stream.pause() }
        isOpen = false
        nextReport = nil
    }

    // MARK: Sending

    /// Sends a slice in the transceiver's stream. Slices have to be passed in order within a frame, and frames in
    /// order.
    ///
    /// - Parameter captured: when the picture was captured, on the clock of `now`, for sender reports, where the
    ///   slice's timing is on an app's clock; `nil` if unknown.
    package func send(
        _ slice: borrowing PacketizedSlice, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        guard isOpen, let sender = senders[id] else { return counted.count(.notSending) }
        sender.send(slice, captured: captured, now: now)
        pump(now)
    }

    /// Packetizes and sends a slice that goes to this peer alone.
    package func send(
        _ slice: EncodedSlice, codec: VideoCodec, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        guard let size = largestPayload(on: id) else { return counted.count(.notSending) }
        send(PacketizedSlice(slice, codec: codec, largestPayload: size), captured: captured, on: id, now: now)
    }

    /// Sends a packet of audio, ahead of all queued video. `timestamp` is in units of the codec's clock rate; a random
    /// offset is added.
    ///
    /// - Parameter captured: when the audio was captured, on the clock of `now`, for sender reports; `nil` if unknown.
    package func send(
        audio payload: [UInt8], timestamp: UInt32, marker: Bool, captured: Instant? = nil, on id: Transceiver.ID,
        now: Instant
    ) {
        guard isOpen, let sender = senders[id] else { return counted.count(.notSending) }
        let before = sender.stream.statistics.packets
        sender.send(
            packet: payload, timestamp: timestamp, marker: marker, captured: captured, transport: &estimator, now: now
        ) { put($0, of: sender) }
        if sender.stream.statistics.packets > before {
            let size = payload.count + Self.soundOverhead
            soundRate.note(size, now: now)
            for other in senders.values where other.isVideo { other.stream.note(beside: size, now: now) }
        }
        pump(now)
    }

    /// The largest payload of a ``PacketizedSlice`` for this peer, in bytes; the smallest of all peers' suits all.
    /// `nil` where the transceiver sends nothing. An agreement may change it.
    package func largestPayload(on id: Transceiver.ID) -> Int? { senders[id]?.stream.largestPayload.other }

    /// Chooses which of the agreed codecs the next packets use; by default the first one that fits.
    ///
    /// - Returns: `false` where the peer does not take it.
    package func choose(_ type: PayloadType, on id: Transceiver.ID) -> Bool { senders[id]?.choose(type) ?? false }

    /// Sets the orientation that the peer is to show pictures in from now on, if it supports the header extension.
    package func turn(_ orientation: VideoOrientation, on id: Transceiver.ID) { senders[id]?.turn(orientation) }

    // MARK: Receiving

    package func handle(_ input: consuming Input, now: Instant) {
        switch consume input {
        case .rtp(let packet, let opened): handle(rtp: packet, opened, now: now)
        case .rtcp(let packet): handle(rtcp: packet, now: now)
        }
        pump(now)
    }

    /// Requests a keyframe from the peer: the app's decoder can't go on without one.
    package func decoderFailed(on id: Transceiver.ID, now: Instant) {
        receivers[id]?.decoderFailed(now: now)
        pump(now)
    }

    /// Takes a round trip measured elsewhere, by ICE for example: RTCP reports give it only to an end that sends.
    package func measured(roundTrip: Duration, now: Instant) {
        for receiver in receivers.values { receiver.setRoundTrip(roundTrip, now: now) }
        pump(now)
    }

    // MARK: Time

    package func tick(now: Instant) {
        if isOpen {
            estimator.tick(now: now)
            soundRate.update(now)
            share(estimator.estimate)
        }
        for (_, sender) in senders { sender.stream.tick(now: now) }
        for (_, receiver) in receivers { receiver.tick(now: now) }
        if isOpen {
            putFeedback(now: now)
            if let due = nextReport, now >= due { report(now: now) }
        }
        pump(now)
    }

    package func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        var earliest: Deadline?
        for (_, sender) in senders { earliest = .earliest(earliest, sender.deadline(isOpen: isOpen)) }
        for (_, receiver) in receivers { earliest = .earliest(earliest, receiver.deadline) }
        guard isOpen else { return earliest }
        earliest = .earliest(earliest, estimator.deadline)
        earliest = .earliest(earliest, nextReport.map { Deadline(at: $0, why: "RTCP report") })
        return .earliest(earliest, arrivals.dueAt.map { Deadline(at: $0, why: "transport-wide feedback") })
    }

    // MARK: Statistics

    package func outbound(_ id: Transceiver.ID) -> OutboundStatistics? { senders[id]?.stream.allStatistics }
    package func inbound(_ id: Transceiver.ID) -> InboundStatistics? { receivers[id]?.statistics }
    package var largestPacket: Int { configuration.largestPacket }
    /// The time until the last queued packet of video has left; zero where nothing is sent in the section.
    package func queueDelay(on id: Transceiver.ID) -> Duration { senders[id]?.stream.queueDelay ?? .zero }
    /// The queue delay without keyframes; if it is too long when a picture comes, the queue is dropped.
    package func staleDelay(on id: Transceiver.ID) -> Duration { senders[id]?.stream.staleDelay ?? .zero }
    package var estimatedBitrate: Bitrate { estimator.estimate }
    /// The bitrate that the path was seen to carry; `nil` where it was never measured.
    package var carriedBitrate: Bitrate? { estimator.carried }

    /// The state of the path, from which the redundancy and bitrate of audio are chosen.
    package var soundPath: SoundPlanner.Path {
        SoundPlanner.Path(
            estimate: estimator.estimate, proven: estimator.carried, most: configuration.mostBitrate,
            loss: estimator.losses.isSteady ? estimator.losses.share : 0)
    }

    /// When to check again, while a keyframe would only lengthen an overfull queue; `nil` if there is room for one.
    package func overfullDeadline(now: Instant) -> Deadline? { estimator.overfullDeadline(now: now) }

    /// Counts of everything that was dropped, by reason.
    package var drops: [String: Int] {
        var all = pastDrops
        all.add(counted, as: "media-")
        for sender in senders.values { sender.addDrops(to: &all) }
        for receiver in receivers.values { receiver.addDrops(to: &all) }
        return all
    }

    // MARK: Implementation

    func put(_ output: Output) { outputs.append(output) }

    /// Runs senders and receivers after an input, and collects their outputs.
    private func pump(_ now: Instant) {
        if isOpen, let sender = senders.values.first(where: { $0.stream.canProbe && $0.isVideo }),
            let probe = estimator.pollProbe(now: now)
        {
            sender.stream.begin(probe, now: now)
        }
        for (id, sender) in senders {
            sender.stream.pump(transport: &estimator, now: now) { put($0, of: sender) }
            if isOpen, sender.stream.keyframes.poll(now: now) != nil { put(.event(.keyframeNeeded(id))) }
        }
        for (id, receiver) in receivers { pass(on: receiver, id, now) }
    }

    private func put(_ departure: consuming StreamSender.Departure, of sender: OutgoingSection) {
        switch consume departure {
        case .packet(let packet, let length, let sequence, let isKept):
            put(
                isKept
                    ? .keptRTP(packet, headerLength: length, sequence: sequence)
                    : .rtp(packet, headerLength: length, sequence: sequence))
        case .again(let sequence): put(.again(sender.names.ssrc, sequence))
        }
    }

    private func pass(on receiver: StreamReceiver, _ id: Transceiver.ID, _ now: Instant) {
        guard let section = media.first(where: { $0.transceiver == id }) else { return }
        while let output = receiver.poll() {
            switch output {
            case .part: break
            case .frame(let frame): put(.event(.frame(frame, id)))
            case .orientation(let orientation): put(.event(.orientation(orientation, id)))
            case .packet(let packet): put(.event(.packet(packet, id)))
            case .restored(let packet, let sequence): receive(restored: packet, sequence, by: receiver, now: now)
            case .nack, .pictureLoss, .fullIntraRequest, .referenceSelection:
                if let request = output.request(from: feedbackSSRC) { putFeedback([request], by: section) }
            }
        }
    }

    /// Divides the path's bitrate among the video streams, and reports a change of it.
    func share(_ bitrate: Bitrate) {
        let sending = senders.values.filter { $0.stream.isActive && $0.isVideo }
        let share = sending.contains { $0.stream.hasParity } ? mediaShare.share : 1
        let bitrate = soundRate.rest(of: bitrate).scaled(by: share)
        let pacing = estimator.pacingRate.bitsPerSecond
        for sender in sending { sender.stream.setRate(Bitrate(bitsPerSecond: pacing / sending.count)) }
        guard bitrate != announced else { return }
        if announced != nil || bitrate != configuration.mostBitrate { put(.event(.estimatedBitrate(bitrate))) }
        announced = bitrate
    }

    /// Draws the time of the next report, between half and one and a half intervals away, so that peers don't fall into
    /// step (RFC 3550 section 6.3.1).
    func nextReportTime(after now: Instant) -> Instant {
        let whole = Self.reportInterval.nanoseconds
        return now + .nanoseconds(Int64.random(in: whole / 2...whole * 3 / 2, using: &random))
    }
}
