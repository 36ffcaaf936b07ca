internal import DequeModule
package import HelioCore
package import HelioRTP

/// The receiver of one RTP stream from one peer, with its retransmissions: outputs frames that can be decoded, or
/// packets one by one.
///
/// Packets arrive decrypted. Feedback for the peer is output; the owner sends it as RTCP.
package final class StreamReceiver: DropCounting {
    /// The rule that decides which packets belong to the stream.
    package enum Origin: Sendable, Hashable {
        /// Packets of one SSRC, authenticated by SRTP.
        case agreed(SSRC)
        /// Packets of any SSRC, as SRTP proves that they are the peer's; a new SSRC replaces the previous one.
        case proven
        /// Unauthenticated packets, accepted if they plausibly continue one stream (`UnprovenSource`).
        case unproven
    }

    package struct Configuration: Sendable {
        package var origin: Origin
        /// The jitter buffer's settings, except for their codec: the buffer uses the codec of the stream.
        package var jitterBuffer = JitterBuffer.Configuration(codec: .h264)
        /// The index of the first frame output.
        package var firstFrame: UInt64 = 0
        /// The IDs of the header extension's elements that are stamped at each transmission, which parity does not
        /// cover.
        package var stampedElements: [UInt8] = []

        package init(_ origin: Origin) { self.origin = origin }
    }

    package enum Output {
        /// A part of the next frame, which may still be abandoned; only output if the jitter buffer's `handsOutParts`
        /// is set.
        case part(ReceivedPart)
        case frame(ReceivedFrame)
        /// The orientation of the following frames.
        case orientation(VideoOrientation)
        case packet(ReceivedPacket)
        /// A lost packet of the stream that was restored: the owner passes it to `handle` as if it had arrived, but
        /// excludes it from feedback, which reports arrivals.
        case restored([UInt8], ExtendedSequence)
        /// Request the retransmission of these packets of the stream.
        case nack(SSRC, [UInt16])
        case pictureLoss(SSRC)
        case fullIntraRequest(SSRC, UInt8)
        /// Report that the frame with this RTP timestamp is the last complete one.
        case referenceSelection(SSRC, PayloadType, UInt32)
    }

    /// The FlexFEC streams to receive, as negotiated.
    package struct FlexFEC: Sendable, Hashable {
        package var payloadType: PayloadType
        /// The FlexFEC stream of each stream, if the description pairs them.
        package var sources: [SSRC: SSRC]
        /// The IDs of the header extension's elements that are written as packets leave: FlexFEC protects zeros in
        /// their place.
        package var stamped: [UInt8]

        package init(payloadType: PayloadType, sources: [SSRC: SSRC], stamped: [UInt8]) {
            self.payloadType = payloadType
            self.sources = sources
            self.stamped = stamped
        }
    }

    /// The time for which the present stream must be silent before a stream that it replaced may return.
    private static let patience = Duration.seconds(1)
    private static let mostRetired = 8
    /// The maximum number of packets by which a retransmission may be ahead of all received packets.
    private static let mostAhead: UInt64 = 512
    private static let mostOrientations = 32

    /// The time to wait for parity before a missing packet is requested: about two frame intervals.
    private static let parityPatience = Duration.milliseconds(40)
    /// The time after the last parity packet for which more parity is expected.
    private static let parityMemory = Duration.milliseconds(500)

    private enum Role {
        case parity
        case media(ReceiveFormat)
        case retransmission(of: ReceiveFormat)
    }

    package private(set) var drops = DropCounter<MediaDrop>()
    package private(set) var source: SSRC?
    /// True while the stream is received; otherwise it makes no reports and has no deadline.
    package var isActive = true
    /// True once a packet of the stream has arrived.
    package private(set) var hasBegun = false
    private let configuration: Configuration
    private var roles: [PayloadType: Role] = [:]
    /// The retransmission stream of each stream, if the description pairs them.
    private var retransmissions: [SSRC: SSRC] = [:]
    /// The SSRC of the parity stream, if one was negotiated.
    private var paritySource: SSRC?
    private var flexFEC: FlexFEC?
    private var parity: any ParityDecoding
    private var parityPackets = 0
    private var probePackets = 0
    private var lastParity: Instant?
    /// The number of the first packet whose parity may still arrive.
    private var awaited: UInt64 = 0
    /// The highest sequence number received, and its packet's timestamp.
    private var newest: (sequence: UInt64, timestamp: UInt32)?
    private var format: ReceiveFormat?
    private var retired: [SSRC] = []
    private var hasEnded = false
    private var lastHeard = Instant.zero
    /// Extends the stream's own sequence numbers, including those that retransmissions quote.
    private var extender = SequenceExtender()
    private var unproven = UnprovenSource()

    // State of a video stream.
    private var buffer: JitterBuffer?
    private var memory: ParameterSetMemory?
    private var nextFrame: UInt64
    private var keyframes = 0
    /// True after a keyframe without parameter sets: frames that refer to it are useless, too, and the jitter buffer
    /// may still output some.
    private var lacksKeyframe = false
    private var firSequence: UInt8 = 0
    /// The orientations of frames that have not been output yet, by timestamp.
    private var orientations: [(timestamp: UInt32, value: VideoOrientation)] = []
    private var orientation = VideoOrientation(quarterTurns: 0)
    private var roundTrip: Duration?

    // Reports and statistics.
    private var plain: PacketStatistics?

    private var lastSenderReport: (compactNTP: UInt32, arrival: Instant)?
    private var asked = InboundStatistics()
    /// The counts of the streams that this one replaced.
    private var past = InboundStatistics()
    private var pastDrops: [String: Int] = [:]

    /// The time of the last input.
    private var now = Instant.zero
    /// The packets that wait for output, if the stream is not parsed as video.
    private var packets = Deque<ReceivedPacket>()
    /// The frame to output next, as its orientation was just output.
    private var turned: ReceivedFrame?

    /// - Parameter format: the first format, if it is known: a keyframe can then be requested before the stream
    ///   begins.
    package init(_ configuration: Configuration, first format: ReceiveFormat? = nil) {
        self.configuration = configuration
        nextFrame = configuration.firstFrame
        parity = ParityDecoder(stamped: configuration.stampedElements)
        if case .agreed(let ssrc) = configuration.origin { source = ssrc }
        if let format, let video = format.video { makeBuffer(format, video, now: .zero) }
    }

    /// Sets the formats received from now on. A continuing stream keeps its buffer and counts.
    ///
    /// - Parameters:
    ///   - retransmissions: the retransmission stream of each stream, if the description pairs them.
    ///   - parity: the parity stream and its payload type; `nil` without one.
    ///   - flexFEC: the FlexFEC configuration; `nil` if the parity is not FlexFEC.
    package func agree(
        _ formats: [ReceiveFormat], retransmissions: [SSRC: SSRC] = [:],
        parity: (ssrc: SSRC, type: PayloadType)? = nil, flexFEC: FlexFEC? = nil
    ) {
        self.retransmissions = retransmissions
        paritySource = parity?.ssrc
        let isOtherCode = (flexFEC == nil) != (self.flexFEC == nil) || flexFEC?.stamped != self.flexFEC?.stamped
        self.flexFEC = flexFEC
        if isOtherCode { self.parity = newParity() }
        roles = [:]
        if let parity { roles[parity.type] = .parity }
        if let flexFEC { roles[flexFEC.payloadType] = .parity }
        for format in formats {
            roles[format.payloadType] = .media(format)
            if let type = format.retransmissionType { roles[type] = .retransmission(of: format) }
        }
        if let format { self.format = formats.first { $0.payloadType == format.payloadType } ?? format }
    }

    /// Returns the next output. Outputs of the jitter buffer and of the parity decoder are converted one at a time,
    /// when they are polled.
    package func poll() -> Output? {
        if let packet = packets.popFirst() { return .packet(packet) }
        if let frame = turned {
            turned = nil
            return .frame(frame)
        }
        while let output = buffer?.poll() {
            if let output = map(output) { return output }
        }
        return parity.poll().map { .restored($0.bytes, $0.sequence) }
    }

    /// The human-readable reason why the pictures can't be shown; `nil` while none is known.
    package var obstacle: String? { memory?.obstacle }

    // MARK: Packets

    /// Handles a decrypted packet: of the stream, of its retransmission stream or of its parity stream.
    ///
    /// - Parameters:
    ///   - sequence: the packet's extended sequence number, if SRTP has determined it.
    ///   - orientation: the frame's orientation, if the packet carries it.
    ///   - timing: the frame's times, if the packet carries them.
    ///   - repairsSince: the RTP timestamp in the packet's `RepairExtension`, if it has one.
    ///   - isRestored: true for a packet of `Output.restored`.
    /// - Returns: true if the packet belongs to the stream.
    @discardableResult
    package func handle(
        _ packet: consuming [UInt8], _ header: RTPHeader, sequence proven: ExtendedSequence?,
        orientation: VideoOrientation? = nil, timing: FrameTimingExtension? = nil, repairsSince: UInt32? = nil,
        isRestored: Bool = false, now: Instant
    ) -> Bool {
        self.now = now
        let bytes = packet
        guard let role = roles[header.payloadType] else { return drop(.unknownPayloadType) }
        guard var payload = header.payload(in: bytes.span.bytes) else { return drop(.malformedRTP) }
        let sequence: ExtendedSequence
        let format: ReceiveFormat
        switch role {
        case .parity: return handle(parity: bytes, header, payload, now: now)
        case .media(let agreed):
            guard let number = numbered(header, proven, now: now) else { return false }
            format = agreed
            sequence = number
            extender.accept(sequence)
            hasBegun = true
            lastHeard = now
        case .retransmission(let agreed):
            guard isRetransmission(header.ssrc), let highest = extender.highest else {
                return drop(.strayRetransmission)
            }
            guard let repeated = Retransmission.split(payload, of: bytes.span.bytes) else { return drop(.probe) }
            format = agreed
            sequence = extender.extended(repeated.original)
            guard sequence.rawValue <= highest.rawValue + Self.mostAhead else { return drop(.strayRetransmission) }
            payload = repeated.payload
            if buffer?.hasCome(sequence) ?? false {
                // Senders fill probes with copies of packets already received.
                probePackets += 1
                return true
            }
        }
        guard let video = format.video else {
            hand(on: bytes, header, payload, sequence, format, now: now)
            return true
        }
        guard prepare(format, video, at: sequence, now: now) else { return drop(.earlierCodec) }
        if let orientation { note(orientation, at: header.timestamp) }
        note(sequence, timestamp: header.timestamp, now: now)
        var media = MediaPacket(
            bytes: bytes, payload: payload, sequence: sequence, timestamp: header.timestamp, marker: header.marker,
            timing: timing, arrival: now)
        media.isRestored = isRestored
        media.repairsSince = repairsSince
        buffer?.handle(.packet(media), now: now)
        if parity.isActive, let source {
            parity.take(
                bytes, header, payload: payload, type: format.payloadType, sequence: sequence, ssrc: source)
        }
        return true
    }

    // MARK: Parity

    private func handle(
        parity packet: [UInt8], _ header: RTPHeader, _ payload: Range<Int>, now: Instant
    ) -> Bool {
        guard let source, header.ssrc != source, isParity(header.ssrc, of: source), hasBegun else {
            return drop(.strayParity)
        }
        let outcome = parity.take(parity: packet, payload: payload, numbers: extender, ssrc: source, now: now)
        switch outcome {
        case .malformed: return drop(.malformedParity)
        case .stray: return drop(.strayParity)
        case .isWhole: break
        case .lacks(let end), .isShort(let end):
            buffer?.handle(.sent(through: ExtendedSequence(end.rawValue - 1)), now: now)
            if case .isShort = outcome { awaited = max(awaited, end.rawValue) }
        }
        parityPackets += 1
        lastParity = now
        tellAwaited(now)
        return true
    }

    /// Returns whether the SSRC is the parity stream's. A FlexFEC packet names the stream that it protects, so its own
    /// SSRC need not be in the description.
    private func isParity(_ ssrc: SSRC, of source: SSRC) -> Bool {
        guard let flexFEC else { return ssrc == paritySource }
        return flexFEC.sources[source].map { $0 == ssrc } ?? true
    }

    private func newParity() -> any ParityDecoding {
        if let flexFEC { return FlexFECDecoder(stamped: flexFEC.stamped) }
        return ParityDecoder(stamped: configuration.stampedElements)
    }

    /// Records the newest packet. If it begins a frame, no more parity is expected for the previous frame, as parity is
    /// sent directly after a frame's last packet.
    private func note(_ sequence: ExtendedSequence, timestamp: UInt32, now: Instant) {
        guard parity.isActive, newest.map({ sequence.rawValue > $0.sequence }) ?? true else { return }
        if let newest, newest.timestamp != timestamp { awaited = max(awaited, newest.sequence) }
        newest = (sequence.rawValue, timestamp)
        tellAwaited(now)
    }

    private func tellAwaited(_ now: Instant) {
        let isExpected = lastParity.map { now - $0 < Self.parityMemory } ?? false
        buffer?.handle(
            .awaitParity(from: ExtendedSequence(awaited), patience: isExpected ? Self.parityPatience : .zero), now: now)
    }

    private func drop(_ reason: MediaDrop) -> Bool {
        drops.count(reason)
        return false
    }

    /// The extended number of a packet of the stream; `nil`, and counted as a drop, if the packet belongs to another
    /// stream.
    private func numbered(_ header: RTPHeader, _ proven: ExtendedSequence?, now: Instant) -> ExtendedSequence? {
        switch configuration.origin {
        case .agreed(let ssrc):
            guard header.ssrc == ssrc, let proven else { break }
            return proven
        case .proven:
            guard let proven else { break }
            guard becomesSource(header.ssrc, now: now) else {
                drops.count(.retiredStream)
                return nil
            }
            return proven
        case .unproven:
            switch unproven.handle(header, now: now) {
            case .accepted(let number):
                source = header.ssrc
                return number
            case .restarted(let number):
                restart(as: header.ssrc)
                return number
            case .rejected: break
            }
        }
        drops.count(.foreignStream)
        return nil
    }

    /// Returns whether to accept a packet of this SSRC: it is the stream's, or a new stream has begun.
    private func becomesSource(_ ssrc: SSRC, now: Instant) -> Bool {
        guard let source else {
            self.source = ssrc
            return true
        }
        if source == ssrc {
            hasEnded = false
            return true
        }
        // Packets of two streams may arrive mixed for a moment: the replaced stream may return only if the present one
        // is silent.
        if retired.contains(ssrc), !hasEnded, now - lastHeard < Self.patience { return false }
        retired.removeAll { $0 == ssrc }
        if retired.count >= Self.mostRetired { retired.removeFirst() }
        retired.append(source)
        restart(as: ssrc)
        return true
    }

    private func restart(as ssrc: SSRC) {
        past = counted
        pastDrops.add(buffer?.drops.named("jitter-"))
        source = ssrc
        extender = SequenceExtender()
        parity = newParity()
        awaited = 0
        newest = nil
        lastParity = nil
        hasEnded = false
        lastSenderReport = nil
        buffer = nil
        plain = nil
        orientations = []
    }

    /// Returns whether the SSRC is the stream's retransmission stream: by the description, or else because the section
    /// has no other stream (RFC 4588 section 5.3).
    private func isRetransmission(_ ssrc: SSRC) -> Bool {
        guard let source, ssrc != source else { return false }
        if let ofSource = retransmissions[source] { return ofSource == ssrc }
        return !retransmissions.values.contains(ssrc)
    }

    /// Creates the jitter buffer, or switches it to another codec. Returns false if the packet was sent before the last
    /// switch.
    private func prepare(
        _ format: ReceiveFormat, _ video: VideoCodec, at sequence: ExtendedSequence, now: Instant
    ) -> Bool {
        if buffer != nil, let present = self.format?.video, present != video {
            guard buffer?.change(to: video, at: sequence, now: now) == true else { return false }
            memory = nil
        }
        if buffer == nil {
            makeBuffer(format, video, now: now)
        } else {
            self.format = format
        }
        if memory == nil, !configuration.jitterBuffer.keyframesHaveParameterSets {
            memory = ParameterSetMemory(codec: video, format.parameterSets)
        }
        return true
    }

    private func makeBuffer(_ format: ReceiveFormat, _ video: VideoCodec, now: Instant) {
        self.format = format
        var settings = configuration.jitterBuffer
        settings.codec = video
        settings.hasRetransmission = format.takesNACK
        settings.givesRepairs = format.givesRepairs
        buffer = JitterBuffer(configuration: settings)
        if let roundTrip { buffer?.handle(.roundTrip(roundTrip), now: now) }
        if configuration.origin == .proven { memory = nil }
    }

    private func hand(
        on packet: [UInt8], _ header: RTPHeader, _ payload: Range<Int>, _ sequence: ExtendedSequence,
        _ format: ReceiveFormat, now: Instant
    ) {
        self.format = format
        if plain == nil { plain = PacketStatistics(clockRate: format.clockRate) }
        plain?.note(sequence, timestamp: header.timestamp, size: packet.count, arrival: now)
        packets.append(
            ReceivedPacket(
                bytes: packet, payload: payload, payloadType: format.payloadType, sequence: sequence,
                timestamp: header.timestamp, marker: header.marker, arrival: now))
    }

    private func note(_ orientation: VideoOrientation, at timestamp: UInt32) {
        if let last = orientations.last, last.timestamp == timestamp {
            orientations[orientations.count - 1].value = orientation
        } else {
            if orientations.count >= Self.mostOrientations { orientations.removeFirst() }
            orientations.append((timestamp, orientation))
        }
    }

    // MARK: Frames

    private func map(_ output: consuming JitterBuffer.Output) -> Output? {
        switch consume output {
        case .part(let part): return lacksKeyframe ? nil : .part(part)
        case .frame(let frame): return map(frame)
        case .nack(let missing):
            guard let source else { return nil }
            asked.nackedPackets += missing.count
            return .nack(source, missing.map(\.wire))
        case .needKeyframe(let reason): return keyframeRequest(isDecoder: reason == .decoderFailed)
        case .needRepair(let timestamp):
            guard let source, let format else { return nil }
            asked.repairRequests += 1
            return .referenceSelection(source, format.payloadType, timestamp)
        }
    }

    /// Numbers a frame, and returns it. If its orientation differs from the last frame's, returns the orientation, and
    /// the frame is the next output.
    private func map(_ frame: consuming ReceivedFrame) -> Output? {
        var frame = frame
        switch memory?.complete(&frame) {
        case .remembered: return nil
        case .missing:
            drops.count(.noParameterSets)
            lacksKeyframe = true
            buffer?.handle(.decoderFailed, now: now)
            return nil
        case .complete, nil: break
        }
        if frame.isKeyframe { lacksKeyframe = false }
        guard !lacksKeyframe else {
            drops.count(.noParameterSets)
            return nil
        }
        frame.frameIndex = nextFrame
        nextFrame += 1
        if frame.isKeyframe { keyframes += 1 }
        guard let orientation = newOrientation(at: UInt32(truncatingIfNeeded: frame.mediaTime)) else {
            return .frame(frame)
        }
        turned = frame
        return .orientation(orientation)
    }

    /// The orientation of the frame with this timestamp; `nil` if it is the last frame's.
    private func newOrientation(at timestamp: UInt32) -> VideoOrientation? {
        guard let index = orientations.firstIndex(where: { $0.timestamp == timestamp }) else { return nil }
        let value = orientations[index].value
        orientations.removeFirst(index + 1)
        guard value != orientation else { return nil }
        orientation = value
        return value
    }

    private func keyframeRequest(isDecoder: Bool) -> Output? {
        guard let source, let format else { return nil }
        if format.takesFullIntraRequest, isDecoder || !format.takesPictureLoss {
            firSequence &+= 1
            asked.fullIntraRequests += 1
            return .fullIntraRequest(source, firSequence)
        }
        guard format.takesPictureLoss else {
            drops.count(.cannotAsk)
            return nil
        }
        asked.pictureLossIndications += 1
        return .pictureLoss(source)
    }

    package func decoderFailed(now: Instant) {
        self.now = now
        buffer?.handle(.decoderFailed, now: now)
    }

    package func setRoundTrip(_ time: Duration, now: Instant) {
        self.now = now
        roundTrip = time
        buffer?.handle(.roundTrip(time), now: now)
    }

    // MARK: Reports

    /// - Returns: true if the report is about this stream.
    @discardableResult
    package func handle(_ report: SenderReport, now: Instant) -> Bool {
        guard let source, report.ssrc == source else { return false }
        lastSenderReport = (UInt32(truncatingIfNeeded: report.ntpTime >> 16), now)
        return true
    }

    /// - Returns: true if this stream is among `sources` and has not ended before.
    package func handleGoodbye(_ sources: [SSRC]) -> Bool {
        guard let source, sources.contains(source), !hasEnded else { return false }
        hasEnded = true
        unproven.end()
        return true
    }

    /// Returns the next report block; `nil` if the stream is inactive, has ended or has received nothing.
    package func makeReport(now: Instant) -> ReportBlock? {
        guard let source, isActive, !hasEnded else { return nil }
        var block: ReportBlock
        if let buffer, buffer.statistics.received > 0, let report = self.buffer?.makeReport() {
            block = ReportBlock(
                ssrc: source, fractionLost: report.fractionLost, cumulativeLost: report.cumulativeLost,
                highestSequence: report.highestSequence, jitter: report.jitter, lastSenderReport: 0,
                delaySinceLastSenderReport: 0)
        } else if let report = plain?.makeReport(source) {
            block = report
        } else {
            return nil
        }
        // `UnprovenSource` extends numbers from the second cycle on; a report counts from the first.
        if configuration.origin == .unproven { block.highestSequence &-= 0x1_0000 }
        if let last = lastSenderReport {
            block.lastSenderReport = last.compactNTP
            block.delaySinceLastSenderReport = UInt32(
                clamping: (now - last.arrival).nanoseconds / 1000 * 65_536 / 1_000_000)
        }
        return block
    }

    /// The number of packets expected of the present stream, by its sequence numbers, and the number of packets lost,
    /// whether retransmitted or not.
    package var expectation: (expected: Int, lost: Int) {
        (
            (buffer?.statistics.expected ?? 0) + (plain?.expected ?? 0),
            (buffer?.statistics.lost ?? 0) + (plain?.lost ?? 0)
        )
    }

    // MARK: Timers

    package var deadline: Deadline? { isActive ? buffer?.deadline : nil }

    package func tick(now: Instant) {
        guard isActive else { return }
        self.now = now
        buffer?.tick(now: now)
    }

    // MARK: Statistics

    private var counted: InboundStatistics {
        var present = InboundStatistics()
        if let statistics = buffer?.statistics {
            present.packets = statistics.received
            present.bytes = statistics.bytes
            present.packetsLost = statistics.lost
            present.packetsRecovered = statistics.recovered
            present.packetsRestored = statistics.restored
            present.packetsReordered = statistics.reordered
        }
        present.packets += plain?.received ?? 0
        present.bytes += plain?.bytes ?? 0
        present.packetsLost += plain?.lost ?? 0
        present.repairs = buffer?.repairs ?? 0
        present.add(past)
        return present
    }

    package var statistics: InboundStatistics {
        var all = counted
        all.ssrc = source
        all.jitter = buffer?.statistics.jitterDuration ?? plain?.jitter ?? .zero
        all.frames = Int(nextFrame - configuration.firstFrame)
        all.keyframes = keyframes
        all.parityPackets = parityPackets
        all.probePackets = probePackets
        all.nackedPackets = asked.nackedPackets
        all.pictureLossIndications = asked.pictureLossIndications
        all.fullIntraRequests = asked.fullIntraRequests
        all.repairRequests = asked.repairRequests
        return all
    }

    package var allDrops: [String: Int] { .sum(drops.named("media-"), pastDrops, buffer?.drops.named("jitter-")) }
}

extension StreamReceiver.Output {
    /// The RTCP packet of a request to the peer; `nil` for an output that is not a request.
    ///
    /// - Parameter sender: the SSRC of this end.
    package func request(from sender: SSRC) -> RTCPPacket? {
        switch self {
        case .nack(let source, let lost): .genericNACK(GenericNACK(sender: sender, media: source, lost: lost))
        case .pictureLoss(let source): .pictureLoss(PictureLossIndication(sender: sender, media: source))
        case .fullIntraRequest(let source, let sequence):
            .fullIntraRequest(FullIntraRequest(sender: sender, entries: [.init(ssrc: source, sequence: sequence)]))
        case .referenceSelection(let source, let type, let timestamp):
            .referenceSelection(
                ReferencePictureSelection(sender: sender, media: source, payloadType: type, timestamp: timestamp))
        case .part, .frame, .orientation, .packet, .restored: nil
        }
    }
}
