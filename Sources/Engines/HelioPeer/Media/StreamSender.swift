import HelioCongestion
import HelioCore
import HelioRTP
import HelioSDP

/// One stream that goes to the peer: paces, numbers and stamps its packets, keeps them to be sent again, and knows when
/// a keyframe is due.
///
/// A packet is made when it leaves, after its wait: so nothing that the pacer drops leaves a gap in the numbers, and
/// what the packet says of its sending is true.
final class StreamSender {
    /// Where what leaves goes: what all streams of the transport share.
    typealias Emit = (MediaTransport.Output) -> Void

    /// Encoders are asked for a keyframe at most this often,
    private static let keyframeSpacing = Duration.milliseconds(100)
    /// and asked again when none has come for so long.
    private static let keyframePatience = Duration.milliseconds(500)

    let stream: SendingStream
    private(set) var statistics: OutboundStatistics
    private(set) var drops = DropCounter<MediaDrop>()
    /// The peer receives it.
    private(set) var isActive = false
    private var media: NegotiatedMedia
    /// By the caller's wish; otherwise the first that fits.
    private var chosenType: PayloadType?
    private var codec: NegotiatedCodec?
    private var extensions = OutgoingExtensions()
    private var orientation: VideoOrientation?

    private let configuration: MediaTransportConfiguration
    private let timestampOffset: UInt32
    private var nextSequence: ExtendedSequence
    private var nextRetransmission: ExtendedSequence
    private var pacer: SendPacer
    private var history: SentPackets

    /// What waits in the pacer, in order; those that it dropped are passed over.
    private var waiting = Fifo<Waiting>()
    private var nextTicket = ExtendedSequence(0)

    /// The frame being sent; `nil` while frames are skipped until a keyframe.
    private var sendingFrame: UInt64?
    private var needsKeyframe = false
    private var keyframeAsked: Instant?
    private var lastFIR: [SSRC: UInt8] = [:]
    /// The newest frame or packet of audio: what its clock showed when it was given. Of an app's clock only differences
    /// mean something, so reports go by this.
    private var lastTimestamp: (value: UInt32, at: Instant)?
    /// The peer is to play it beside another stream, and not as soon as it can.
    private var playsInStep = false

    private struct Waiting {
        var ticket: ExtendedSequence
        var bytes: [UInt8]
        var payload: PacketizedSlice.Payload
        var timestamp: UInt32
    }

    init(
        _ stream: SendingStream, _ media: NegotiatedMedia, _ configuration: MediaTransportConfiguration,
        random: inout some RandomNumberGenerator
    ) {
        self.stream = stream
        self.media = media
        self.configuration = configuration
        statistics = OutboundStatistics(ssrc: stream.ssrc)
        timestampOffset = .random(in: .min ... .max, using: &random)
        nextSequence = Self.firstSequence(&random)
        nextRetransmission = Self.firstSequence(&random)
        pacer = SendPacer(target: configuration.mostBitrate, configuration: configuration.pacer)
        history = SentPackets(first: nextSequence, configuration: configuration.history)
    }

    /// SRTP's rollover counter is told by no packet: numbers begin in the lower half (RFC 3711 section 3.3.1).
    private static func firstSequence(_ random: inout some RandomNumberGenerator) -> ExtendedSequence {
        ExtendedSequence(UInt64.random(in: 0...0x7FFF, using: &random))
    }

    // MARK: Agreements

    func agree(_ media: NegotiatedMedia, playsInStep: Bool) {
        self.media = media
        self.playsInStep = playsInStep
        let wasActive = isActive
        isActive = media.direction.sends
        if !media.codecs.contains(where: { $0.sendPayloadType == chosenType }) { chosenType = nil }
        codec = nil
        extensions = OutgoingExtensions(media, orientation: orientation, playsInStep: playsInStep)
        if isActive, !wasActive, media.kind == .video {
            // After a pause the peer lacks what the next frames refer to.
            sendingFrame = nil
            needsKeyframe = true
        }
    }

    /// The section is no longer agreed on, or nothing is sent by it.
    func pause() {
        isActive = false
        sendingFrame = nil
        needsKeyframe = false
    }

    /// - Returns: `false` where the peer does not take this type.
    func choose(_ type: PayloadType) -> Bool {
        guard media.codecs.contains(where: { $0.sendPayloadType == type }) else { return false }
        chosenType = type
        codec = nil
        return true
    }

    func turn(_ orientation: VideoOrientation) {
        self.orientation = orientation
        extensions = OutgoingExtensions(media, orientation: orientation, playsInStep: playsInStep)
    }

    var largestPayload: Int {
        configuration.largestPacket - RTPHeader.fixedSize - extensions.longestBlock - Retransmission.overhead
    }

    func setTarget(_ bitrate: Bitrate) { pacer.target = bitrate }
    var isVideo: Bool { media.kind == .video }

    // MARK: What is to be sent

    func send(_ slice: borrowing PacketizedSlice, now: Instant) {
        guard isActive, media.kind == .video else { return drops.count(.notSending) }
        guard let codec = codec(for: slice.codec) else { return drops.count(.refusedCodec) }
        if slice.isFirst { begin(slice, now: now) }
        // A frame whose beginning was skipped, or of which a slice got lost on the way here, is of no use.
        guard sendingFrame == slice.frameIndex else { return drops.count(.awaitingKeyframe) }
        guard slice.longest <= largestPayload else {
            sendingFrame = nil
            return drops.count(.payloadTooLarge)
        }
        if slice.isFirst { lastTimestamp = (MediaClock.timestamp(slice.timing.captured), now) }
        if slice.isLast {
            statistics.frames += 1
            if slice.isKeyframe { statistics.keyframes += 1 }
        }
        self.codec = codec
        let timestamp = MediaClock.timestamp(slice.timing.captured) &+ timestampOffset
        let kind = OutgoingPacket.Kind.media(frame: slice.frameIndex, isKeyframe: slice.isKeyframe)
        let head = RTPHeader.fixedSize + extensions.block.count
        for payload in slice.payloads {
            let ticket = nextTicket
            nextTicket = nextTicket.advanced(by: 1)
            waiting.append(Waiting(ticket: ticket, bytes: slice.bytes, payload: payload, timestamp: timestamp))
            pacer.handle(OutgoingPacket(size: head + payload.range.count, kind: kind, ticket: ticket), now: now)
        }
    }

    /// Decides whether a frame is sent when its first slice comes.
    private func begin(_ slice: borrowing PacketizedSlice, now: Instant) {
        guard sendingFrame != nil || slice.isKeyframe else {
            let isOverdue = keyframeAsked.map { now - $0 >= Self.keyframePatience } ?? true
            if isOverdue { needsKeyframe = true }
            return
        }
        sendingFrame = slice.frameIndex
        if slice.isKeyframe { needsKeyframe = false }
    }

    private func codec(for video: VideoCodec) -> NegotiatedCodec? {
        if let codec, codec.video == video { return codec }
        let fitting = media.codecs.filter { $0.video == video && $0.takesFragments }
        return fitting.first { $0.sendPayloadType == chosenType } ?? fitting.first
    }

    /// A packet of another codec than the packetiser knows: goes at once.
    func send(
        packet payload: [UInt8], timestamp: UInt32, marker: Bool, record: inout TransportSendRecord, now: Instant,
        _ emit: Emit
    ) {
        guard isActive,
            let codec = media.codecs.first(where: { $0.sendPayloadType == chosenType }) ?? media.codecs.first
        else { return drops.count(.notSending) }
        guard payload.count <= largestPayload else { return drops.count(.payloadTooLarge) }
        self.codec = codec
        lastTimestamp = (timestamp, now)
        depart(
            codec, payload, payload.indices, timestamp: timestamp &+ timestampOffset, marker: marker, record: &record,
            now: now, emit)
    }

    // MARK: What leaves

    func pump(record: inout TransportSendRecord, now: Instant, _ emit: Emit) {
        while let output = pacer.poll() {
            switch output {
            case .needKeyframe: needsKeyframe = true
            case .send(let packet):
                guard let ticket = packet.sequence else { continue }
                if packet.kind == .retransmission {
                    departAgain(ticket, record: &record, now: now, emit)
                } else {
                    while let next = waiting.first, next.ticket < ticket { _ = waiting.popFirst() }
                    guard let next = waiting.popFirst(), let codec else { continue }
                    depart(
                        codec, next.bytes, next.payload.range, timestamp: next.timestamp, marker: next.payload.isLast,
                        record: &record, now: now, emit)
                }
            }
        }
        if pacer.queuedBytes == 0 { while waiting.popFirst() != nil {} }
    }

    private func depart(
        _ codec: NegotiatedCodec, _ bytes: [UInt8], _ payload: Range<Int>, timestamp: UInt32, marker: Bool,
        record: inout TransportSendRecord, now: Instant, _ emit: Emit
    ) {
        let sequence = nextSequence
        nextSequence = nextSequence.advanced(by: 1)
        let header = RTPHeader(
            marker: marker, payloadType: codec.sendPayloadType, sequence: sequence.wire, timestamp: timestamp,
            ssrc: stream.ssrc)
        let packet = make(header, original: nil, bytes, payload, record: &record, now: now)
        statistics.packets += 1
        statistics.bytes += payload.count
        let headerLength = RTPHeader.fixedSize + extensions.block.count
        if let type = codec.sendRetransmissionType {
            history.insert(
                SentPacket(
                    bytes: bytes, payload: payload, timestamp: timestamp, marker: marker, retransmissionType: type,
                    sent: now), sequence: sequence)
            emit(.rtp(packet, headerLength: headerLength, sequence: sequence))
        } else if codec.has("nack") {
            emit(.keptRTP(packet, headerLength: headerLength, sequence: sequence))
        } else {
            emit(.rtp(packet, headerLength: headerLength, sequence: sequence))
        }
    }

    /// In the stream of retransmissions (RFC 4588).
    private func departAgain(
        _ original: ExtendedSequence, record: inout TransportSendRecord, now: Instant, _ emit: Emit
    ) {
        guard let kept = history[original] else { return drops.count(.strayFeedback) }
        let sequence = nextRetransmission
        nextRetransmission = nextRetransmission.advanced(by: 1)
        let header = RTPHeader(
            marker: kept.marker, payloadType: kept.retransmissionType, sequence: sequence.wire,
            timestamp: kept.timestamp, ssrc: stream.retransmissionSSRC)
        let packet = make(header, original: original.wire, kept.bytes, kept.payload, record: &record, now: now)
        statistics.retransmittedPackets += 1
        statistics.retransmittedBytes += kept.payload.count
        emit(.rtp(packet, headerLength: RTPHeader.fixedSize + extensions.block.count, sequence: sequence))
    }

    /// One array, made once: header, extension, payload, and room for protection.
    private func make(
        _ header: RTPHeader, original: UInt16?, _ bytes: [UInt8], _ payload: Range<Int>,
        record: inout TransportSendRecord, now: Instant
    ) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(
            RTPHeader.fixedSize + extensions.block.count + Retransmission.overhead + payload.count
                + configuration.reserve)
        header.write(into: &packet, hasExtension: !extensions.block.isEmpty)
        packet.append(contentsOf: extensions.block)
        if let original { packet.append(bigEndian: original) }
        packet.append(contentsOf: bytes[payload])
        extensions.stamp(&packet, sent: now, transportSequence: UInt16(truncatingIfNeeded: record.next))
        if extensions.transportSequenceOffset != nil { record.note(size: packet.count, sent: now) }
        return packet
    }

    // MARK: What the peer wants

    func hear(_ nack: GenericNACK, now: Instant, _ emit: Emit) {
        let lost = nack.lost
        statistics.nackedPackets += lost.count
        guard isActive, let codec else { return drops.count(.refusedNACK) }
        guard codec.sendRetransmissionType != nil else {
            guard codec.has("nack") else { return drops.count(.refusedNACK) }
            for wire in lost { emit(.again(stream.ssrc, wire)) }
            return
        }
        let head = RTPHeader.fixedSize + extensions.block.count + Retransmission.overhead
        for wire in lost {
            guard let (sequence, size) = history.request(wire, now: now) else { continue }
            pacer.handle(OutgoingPacket(size: head + size, kind: .retransmission, ticket: sequence), now: now)
        }
    }

    func hearPictureLoss() {
        statistics.pictureLossIndications += 1
        if isActive, isVideo { needsKeyframe = true }
    }

    /// A repeated request has the same number (RFC 5104 section 4.3.1.1).
    func hearFullIntraRequest(_ entry: FullIntraRequest.Entry, from sender: SSRC) {
        guard lastFIR[sender] != entry.sequence else { return }
        if lastFIR.count >= 8 { lastFIR.removeAll() }
        lastFIR[sender] = entry.sequence
        statistics.fullIntraRequests += 1
        if isActive, isVideo { needsKeyframe = true }
    }

    func hear(_ block: ReportBlock, now: Instant) {
        statistics.packetsLost = Int(block.cumulativeLost)
        statistics.fractionLost = Double(block.fractionLost) / 256
        let rate = Int64(max(1, (codec ?? media.codecs.first)?.codec.clockRate ?? 90_000))
        statistics.jitter = .nanoseconds(Int64(block.jitter) * 1_000_000_000 / rate)
        if let time = MediaClock.roundTrip(block, now: now + configuration.clockOffset) {
            statistics.roundTrip = time
            history.resendSpacing = max(time, .milliseconds(2))
        }
    }

    // MARK: Time

    /// Whether the encoder's next picture has to be a keyframe; spaced, so that a storm of requests costs one.
    func takesKeyframeNeed(now: Instant) -> Bool {
        guard needsKeyframe, keyframeDue.map({ now >= $0 }) ?? true else { return false }
        needsKeyframe = false
        keyframeAsked = now
        return true
    }

    private var keyframeDue: Instant? { keyframeAsked.map { $0 + Self.keyframeSpacing } }

    /// - Parameter isOpen: keyframes are wanted only then.
    func deadline(isOpen: Bool) -> Deadline? {
        let keyframe =
            isOpen && needsKeyframe ? keyframeDue.map { Deadline(at: $0, why: "a keyframe is owed") } : nil
        return .earliest(pacer.deadline, keyframe)
    }

    func tick(now: Instant) { pacer.tick(now: now) }

    /// What a report tells of the stream; `nil` where nothing was sent.
    func takeReport(now: Instant) -> SenderReport? {
        history.forgetOld(now: now)
        guard isActive, statistics.packets > 0, let codec, let last = lastTimestamp else { return nil }
        let ticks = (now - last.at).nanoseconds / 1000 * Int64(codec.codec.clockRate) / 1_000_000
        let timestamp = last.value &+ UInt32(truncatingIfNeeded: ticks)
        return SenderReport(
            ssrc: stream.ssrc, ntpTime: MediaClock.ntp(now + configuration.clockOffset),
            rtpTimestamp: timestamp &+ timestampOffset, packetCount: UInt32(truncatingIfNeeded: statistics.packets),
            octetCount: UInt32(truncatingIfNeeded: statistics.bytes))
    }

    var allStatistics: OutboundStatistics {
        var all = statistics
        all.droppedFrames = pacer.droppedFrames
        return all
    }

    func addDrops(to all: inout [String: Int]) {
        for (name, count) in drops.named { all["media-\(name)", default: 0] += count }
        for (name, count) in pacer.drops.named { all["pacer-\(name)", default: 0] += count }
        for (name, count) in history.drops.named { all["resend-\(name)", default: 0] += count }
    }
}
