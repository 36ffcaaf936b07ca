internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
package import HelioRTP
import HelioSDP

/// The RTP and RTCP of one peer connection, before encryption and after decryption: the streams of all negotiated
/// sections, in both directions, on one transport (BUNDLE).
///
/// Video is sent as ``PacketizedSlice``s, which several transports can share; each transport adds its own sequence
/// numbers, timestamps and header extensions. Received video is reported as complete, decodable frames, other media
/// packet by packet.
///
/// Memory is bounded by the configurations of pacers, histories and jitter buffers. The peer can't add a section
/// without this end's consent.
package final class MediaTransport: DropCounting, Engine {
    /// A packet from the peer that was decrypted, authenticated, and checked for replay.
    package enum Input: Sendable {
        case rtp([UInt8], SRTPReceiver.OpenedRTP)
        case rtcp([UInt8])
    }

    package enum Output: Sendable {
        /// A packet to be encrypted and sent.
        case rtp([UInt8], headerLength: Int, sequence: ExtendedSequence)
        /// Like `rtp`, but the encrypted packet has to be stored for `again`. This peer has no RTX, so lost packets are
        /// retransmitted unchanged, and encrypting a packet twice would reuse a nonce.
        case keptRTP([UInt8], headerLength: Int, sequence: ExtendedSequence)
        /// The stored packet with this sequence number has to be retransmitted.
        case again(SSRC, ExtendedSequence)
        /// A compound packet to be encrypted and sent.
        case rtcp([UInt8])
        case event(Event)
    }

    package enum Event: Sendable {
        /// A complete frame, in decoding order; all frames that it refers to were reported before it.
        case frame(ReceivedFrame, Transceiver.ID)
        /// The orientation of all frames reported after this event.
        case orientation(VideoOrientation, Transceiver.ID)
        /// A packet of a codec that this type does not depacketize, such as an audio codec.
        case packet(ReceivedPacket, Transceiver.ID)
        /// The next frame to send has to be a keyframe.
        case keyframeNeeded(Transceiver.ID)
        /// One of the next frames has to be a repair picture that fulfils this request. Reported only for sections for
        /// which `setTakesRepairs` was called, or whose peer accepts dependency descriptors.
        case repairNeeded(RepairWish, Transceiver.ID)
        /// The estimated bitrate for all outgoing video streams together has changed.
        case estimatedBitrate(Bitrate)
        /// The peer has ended its stream (BYE); another stream may follow in the same section.
        case goodbye(Transceiver.ID)
    }

    /// The mean interval between RTCP reports. RFC 3550 section 6.2 prescribes longer intervals at low bitrates, but
    /// browsers use about 1 s.
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
    /// The share of the bandwidth that parity and retransmissions leave to media, for streams with parity.
    private var mediaShare = MediaShare()
    /// The measured bitrate of the outgoing audio.
    private var soundRate = SoundRate()
    var arrivals = TransportArrivals()
    var incomingRate: IncomingRate
    /// The IDs of the header extensions that are read from every packet. An ID has the same meaning in all sections.
    var transportSequenceID: UInt8?
    var sendTimeID: UInt8?
    var orientationID: UInt8?
    var isOpen = false
    var counted = DropCounter<MediaDrop>()
    /// The drop counts of ended streams.
    private var pastDrops: [String: Int] = [:]
    private var announced: Bitrate?
    /// While the path is congested, the time until which no repair picture is requested: the picture would wait in the
    /// queue, and the repair would be too late.
    private var repairsHeld: Deadline?
    var nextReport: Instant?
    private var outputs = Deque<Output>()

    /// - Parameter random: a secure generator, used for initial sequence numbers and timestamps.
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

    /// Applies the negotiated sections. Continuing streams keep their sequence numbers, buffers and statistics.
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
            pastDrops.add(receiver)
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
        // A libwebrtc that only receives repeats a NACK after 100 ms until it has measured the round trip, and its
        // timer runs every 20 ms. A picture that needs a second NACK is late on any path, so parity pays off at lower
        // loss.
        configuration.leastRepeat = .milliseconds(120)
        return ParityPlanner(configuration)
    }

    /// Plans the parity of all outgoing streams from the losses that the peer reports.
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

    /// Returns true if the peer synchronises this video with audio, as both belong to the same media stream of the app.
    private func isInStep(
        _ section: NegotiatedMedia, _ media: [NegotiatedMedia], _ streams: [Transceiver.ID: SendingStream]
    ) -> Bool {
        guard section.kind == .video, let name = streams[section.transceiver]?.stream else { return false }
        return media.contains {
            $0.kind == .audio && $0.direction.sends && streams[$0.transceiver]?.stream == name
        }
    }

    /// Ends the outgoing streams whose transceivers have no sender or another SSRC now. Queues a BYE for those that
    /// have sent packets.
    private func endSenders(_ streams: [Transceiver.ID: SendingStream], now: Instant) {
        var gone: [SSRC] = []
        for (id, sender) in senders where streams[id]?.ssrc != sender.names.ssrc {
            if sender.stream.statistics.packets > 0 { gone.append(sender.names.ssrc) }
            pastDrops.add(sender)
            senders[id] = nil
        }
        if !gone.isEmpty { putGoodbye(gone.sorted { $0.rawValue < $1.rawValue }) }
    }

    private func receivedID(_ uri: String, where condition: (NegotiatedMedia) -> Bool = { _ in true }) -> UInt8? {
        media.lazy.filter(condition).compactMap { $0.headerExtension(uri) }.first { $0.canReceive && $0.id > 0 }?.id
    }

    /// Starts sending. Call it once packets can be encrypted; keyframes are then requested from the encoders.
    package func open(now: Instant) {
        guard !isOpen else { return }
        isOpen = true
        nextReport = now + Self.reportInterval / 2
        estimator.open(now: now)
        pump(now)
    }

    /// Queues a BYE for all streams, and stops sending.
    package func close(now: Instant) {
        guard isOpen else { return }
        let sending = senders.values.filter { $0.stream.statistics.packets > 0 }.map(\.names.ssrc)
        putGoodbye(sending.isEmpty ? [feedbackSSRC] : sending.sorted { $0.rawValue < $1.rawValue })
        for sender in senders.values { sender.stream.pause() }
        isOpen = false
        nextReport = nil
    }

    // MARK: Sending

    /// Sends a slice in the transceiver's stream. Pass frames in order, and the slices of a frame in order.
    ///
    /// - Parameter captured: the capture time of the picture on the clock of `now`, for sender reports if the slice's
    ///   timestamps use an app's clock; `nil` if unknown.
    package func send(
        _ slice: borrowing PacketizedSlice, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        guard isOpen, let sender = senders[id] else { return counted.count(.notSending) }
        sender.send(slice, captured: captured, now: now)
        pump(now)
    }

    /// Packetizes a slice for this peer only, and sends it.
    package func send(
        _ slice: EncodedSlice, codec: VideoCodec, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        guard let size = largestPayload(on: id) else { return counted.count(.notSending) }
        send(PacketizedSlice(slice, codec: codec, largestPayload: size), captured: captured, on: id, now: now)
    }

    /// Sends a packet of audio before all queued video. `timestamp` is in units of the codec's RTP clock; a random
    /// offset is added.
    ///
    /// - Parameter captured: the capture time of the audio on the clock of `now`, for sender reports; `nil` if unknown.
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

    /// The maximum payload size of a ``PacketizedSlice`` for this peer, in bytes; `nil` if the transceiver sends
    /// nothing. A slice for several peers has to use the smallest of their values. A negotiation may change the value.
    package func largestPayload(on id: Transceiver.ID) -> Int? { senders[id]?.stream.largestPayload.other }

    /// Selects the codec of all following packets by its negotiated payload type. By default, the first fitting codec
    /// is used.
    ///
    /// - Returns: false if the payload type is not negotiated.
    package func choose(_ type: PayloadType, on id: Transceiver.ID) -> Bool { senders[id]?.choose(type) ?? false }

    /// Sets the orientation in which the peer shows all following pictures; without effect unless the header extension
    /// is negotiated.
    package func turn(_ orientation: VideoOrientation, on id: Transceiver.ID) { senders[id]?.turn(orientation) }

    /// Returns true if dependency descriptors are negotiated: the peer knows the frames that each frame refers to.
    package func describesFrames(on id: Transceiver.ID) -> Bool { senders[id]?.stream.describesFrames ?? false }

    /// Sets whether the peer supports repair pictures. If dependency descriptors are negotiated, too, the peer's app
    /// then reports all losses by `pictureLost`, and PLI and FIR are ignored.
    package func setTakesRepairs(_ takes: Bool, on id: Transceiver.ID, now: Instant) {
        senders[id]?.stream.takesRepairs = takes
        pump(now)
    }

    /// Handles the report of the peer's app that it can't show the frames after the frame with the RTP timestamp
    /// `whole`; `nil` if the app can resume only with a keyframe.
    package func pictureLost(after whole: UInt32?, on id: Transceiver.ID, now: Instant) {
        guard let sender = senders[id], sender.isVideo else { return counted.count(.strayFeedback) }
        sender.stream.handlePictureLost(after: whole, now: now)
        pump(now)
    }

    // MARK: Receiving

    package func handle(_ input: consuming Input, now: Instant) {
        switch consume input {
        case .rtp(let packet, let opened): handle(rtp: packet, opened, now: now)
        case .rtcp(let packet): handle(rtcp: packet, now: now)
        }
        pump(now)
    }

    /// Requests a keyframe from the peer after an error of the app's decoder.
    package func decoderFailed(on id: Transceiver.ID, now: Instant) {
        receivers[id]?.decoderFailed(now: now)
        pump(now)
    }

    /// Sets the round-trip time for the receiving streams, as measured by another protocol, such as ICE. By RTCP
    /// reports, only an end that sends media can measure it.
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
        for (_, sender) in senders { earliest = .earliest(earliest, sender.deadline(isOpen: isOpen, repairsHeld)) }
        for (_, receiver) in receivers { earliest = .earliest(earliest, receiver.deadline) }
        guard isOpen else { return earliest }
        earliest = .earliest(earliest, estimator.deadline)
        earliest = .earliest(earliest, nextReport.map { Deadline(at: $0, why: "RTCP report") })
        return .earliest(earliest, arrivals.dueAt.map { Deadline(at: $0, why: "transport-wide feedback") })
    }

    // MARK: Statistics

    /// The offset from a medium's own time to the RTP timestamps of a section; `nil` if the section sends nothing.
    package func timestampOffset(on id: Transceiver.ID) -> UInt32? { senders[id]?.stream.timestampOffset }
    package func outbound(_ id: Transceiver.ID) -> OutboundStatistics? { senders[id]?.stream.allStatistics }
    package func inbound(_ id: Transceiver.ID) -> InboundStatistics? { receivers[id]?.statistics }
    package var largestPacket: Int { configuration.largestPacket }
    /// The time until the last queued video packet will have been sent; zero if the section sends nothing.
    package func queueDelay(on id: Transceiver.ID) -> Duration { senders[id]?.stream.queueDelay ?? .zero }
    /// The value of `queueDelay` without the bytes of keyframes. If it is too long when a picture arrives, the queue is
    /// dropped.
    package func staleDelay(on id: Transceiver.ID) -> Duration { senders[id]?.stream.staleDelay ?? .zero }
    package var estimatedBitrate: Bitrate { estimator.estimate }
    /// The bitrate that the path has recently been measured to carry; `nil` if it was never measured.
    package var carriedBitrate: Bitrate? { estimator.carried }

    /// The state of the path, the input for choosing the redundancy and bitrate of audio.
    package var soundPath: SoundPlanner.Path {
        SoundPlanner.Path(
            estimate: estimator.estimate, proven: estimator.carried, most: configuration.mostBitrate,
            loss: estimator.losses.isSteady ? estimator.losses.share : 0)
    }

    /// The time at which the congestion of the path may have ended; `nil` if the path is not congested, so that a
    /// keyframe may be sent.
    package func overfullDeadline(now: Instant) -> Deadline? { estimator.overfullDeadline(now: now) }

    /// The number of drops by reason.
    package var allDrops: [String: Int] {
        .sum(pastDrops, counted.named("media-"), senders.values.allDrops, receivers.values.allDrops)
    }

    // MARK: Implementation

    func put(_ output: Output) { outputs.append(output) }

    /// Collects the outputs of all senders and receivers after an input.
    private func pump(_ now: Instant) {
        if isOpen, let sender = senders.values.first(where: { $0.stream.canProbe && $0.isVideo }),
            let probe = estimator.pollProbe(now: now)
        {
            sender.stream.begin(probe, now: now)
        }
        repairsHeld = estimator.overfullDeadline(now: now)
        for (id, sender) in senders {
            sender.stream.pump(transport: &estimator, now: now) { put($0, of: sender) }
            guard isOpen else { continue }
            if repairsHeld == nil, let wish = sender.stream.pollRepair(now: now) {
                put(.event(.repairNeeded(wish, id)))
            }
            if sender.stream.keyframes.poll(now: now) != nil { put(.event(.keyframeNeeded(id))) }
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

    /// Divides the pacing rate among the video streams. Reports the bitrate for video if it has changed.
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

    /// Returns a random time for the next report, 0.5 ... 1.5 intervals from now, so that the reports of several peers
    /// don't synchronise (RFC 3550 section 6.3.1).
    func nextReportTime(after now: Instant) -> Instant {
        let whole = Self.reportInterval.nanoseconds
        return now + .nanoseconds(Int64.random(in: whole / 2...whole * 3 / 2, using: &random))
    }
}
