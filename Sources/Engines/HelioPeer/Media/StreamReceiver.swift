import HelioCore
import HelioPlayout
import HelioProtection
import HelioRTP
import HelioSDP

/// What comes by one section: one stream at a time, with its retransmissions, made into frames, or handed on as it is.
final class StreamReceiver {
    enum Output {
        case frame(ReceivedFrame)
        case orientation(VideoOrientation)
        case packet(ReceivedPacket)
        /// To be asked for again, of the stream.
        case nack(SSRC, [UInt16])
        case pictureLoss(SSRC)
        case fullIntraRequest(SSRC, UInt8)
    }

    /// A stream that another took the place of may come back after so long a silence of that one.
    private static let patience = Duration.seconds(1)
    private static let mostRetired = 8
    /// How far ahead of all that came by itself a packet may be that was sent again.
    private static let mostAhead: UInt64 = 512
    private static let mostOrientations = 32

    private enum Role {
        case media(NegotiatedCodec)
        case retransmission(of: NegotiatedCodec)
    }

    private(set) var media: NegotiatedMedia
    private(set) var drops = DropCounter<MediaDrop>()
    private(set) var source: SSRC?
    private var isActive = true
    private var roles: [PayloadType: Role] = [:]
    private let longestWait: Duration
    private var retired: [SSRC] = []
    private var hasEnded = false
    private var lastHeard = Instant.zero
    /// Of numbers in the stream itself, for those that retransmissions quote.
    private var extender = SequenceExtender()

    // Video.
    private var buffer: JitterBuffer?
    private var memory: ParameterSetMemory?
    private var codec: NegotiatedCodec?
    private var nextFrame: UInt64 = 0
    private var keyframes = 0
    /// A keyframe was of no use: nor are the frames that refer to it, of which some may be on their way out already.
    private var lacksKeyframe = false
    private var firSequence: UInt8 = 0
    /// Of frames that are still to come out, and of the last one.
    private var orientations: [(timestamp: UInt32, value: VideoOrientation)] = []
    private var orientation = VideoOrientation(quarterTurns: 0)
    private var roundTrip: Duration?

    // Everything else.
    private var plain: PacketStatistics?

    private var lastSenderReport: (compactNTP: UInt32, arrival: Instant)?
    private var asked = InboundStatistics()
    /// Of the streams before this one.
    private var past = InboundStatistics()
    private var pastDrops: [String: Int] = [:]
    private var outputs: [Output] = []
    private var taken = 0

    init(_ media: NegotiatedMedia, longestWait: Duration) {
        self.media = media
        self.longestWait = longestWait
        agree(media)
    }

    func agree(_ media: NegotiatedMedia) {
        self.media = media
        isActive = media.direction.receives
        roles = [:]
        for codec in media.receivable {
            roles[codec.receivePayloadType] = .media(codec)
            if let type = codec.receiveRetransmissionType { roles[type] = .retransmission(of: codec) }
        }
        if let codec {
            self.codec = media.receivable.first { $0.receivePayloadType == codec.receivePayloadType } ?? codec
        }
    }

    /// Nothing comes until another agreement.
    func pause() { isActive = false }

    var receives: Bool { isActive }

    func poll() -> Output? {
        guard taken < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        defer { taken += 1 }
        return outputs[taken]
    }

    // MARK: Packets

    /// - Parameter orientation: what the packet says of it.
    func take(
        _ packet: consuming [UInt8], _ header: RTPHeader, _ opened: SRTPReceiver.OpenedRTP,
        orientation: VideoOrientation?, now: Instant
    ) {
        let bytes = packet
        guard let role = roles[header.payloadType] else { return drops.count(.unknownPayloadType) }
        guard var payload = header.payload(in: bytes.span.bytes) else { return drops.count(.malformedRTP) }
        let sequence: ExtendedSequence
        let codec: NegotiatedCodec
        switch role {
        case .media(let agreed):
            guard becomesSource(header.ssrc, now: now) else { return drops.count(.retiredStream) }
            codec = agreed
            sequence = opened.sequence
            extender.accept(sequence)
            lastHeard = now
        case .retransmission(let agreed):
            guard isRetransmission(header.ssrc), let highest = extender.highest else {
                return drops.count(.strayRetransmission)
            }
            guard let original = bytes.span.bytes.uint16(at: payload.lowerBound),
                payload.count >= Retransmission.overhead
            else { return drops.count(.probe) }
            codec = agreed
            sequence = extender.extended(original)
            guard sequence.rawValue <= highest.rawValue + Self.mostAhead else {
                return drops.count(.strayRetransmission)
            }
            payload = payload.lowerBound + Retransmission.overhead..<payload.upperBound
        }
        guard let video = codec.video else {
            return hand(on: bytes, header, payload, sequence, codec, now: now)
        }
        guard prepare(codec, video, at: sequence, now: now) else { return drops.count(.earlierCodec) }
        if let orientation { note(orientation, at: header.timestamp) }
        buffer?.handle(
            .packet(
                MediaPacket(
                    bytes: bytes, payload: payload, sequence: sequence, timestamp: header.timestamp,
                    marker: header.marker, arrival: now)), now: now)
        drain(now)
    }

    /// Whether a packet of this source counts: it is the stream's, or another one has begun.
    private func becomesSource(_ ssrc: SSRC, now: Instant) -> Bool {
        guard let source else {
            self.source = ssrc
            return true
        }
        if source == ssrc {
            hasEnded = false
            return true
        }
        // Both may be under way at once for a moment: there is no way back to the one before, unless this one is silent.
        if retired.contains(ssrc), !hasEnded, now - lastHeard < Self.patience { return false }
        retired.removeAll { $0 == ssrc }
        if retired.count >= Self.mostRetired { retired.removeFirst() }
        retired.append(source)
        restart(as: ssrc)
        return true
    }

    private func restart(as ssrc: SSRC) {
        past = counted
        for (name, count) in buffer?.drops.named ?? [] { pastDrops[name, default: 0] += count }
        source = ssrc
        extender = SequenceExtender()
        hasEnded = false
        lastSenderReport = nil
        buffer = nil
        plain = nil
        orientations = []
    }

    /// By the description's word, or else by there being no other stream in the section (RFC 4588 section 5.3).
    private func isRetransmission(_ ssrc: SSRC) -> Bool {
        guard let source, ssrc != source else { return false }
        let named = media.remote.retransmissions
        if let ofSource = named[source] { return ofSource == ssrc }
        return !named.values.contains(ssrc)
    }

    /// Makes the buffer, or brings it to another codec; `false` where the packet is from before a change.
    private func prepare(
        _ codec: NegotiatedCodec, _ video: VideoCodec, at sequence: ExtendedSequence, now: Instant
    ) -> Bool {
        if buffer != nil, let present = self.codec?.video, present != video {
            guard buffer?.change(to: video, at: sequence, now: now) == true else { return false }
            memory = nil
        }
        self.codec = codec
        if buffer == nil {
            var settings = JitterBuffer.Configuration(codec: video)
            settings.longestWait = longestWait
            settings.leastRoundTrips = 2
            settings.hasRetransmission = codec.has("nack")
            settings.keyframesHaveParameterSets = false
            buffer = JitterBuffer(configuration: settings)
            if let roundTrip { buffer?.handle(.roundTrip(roundTrip), now: now) }
            memory = nil
        }
        if memory == nil { memory = ParameterSetMemory(codec: video, codec.remoteParameters) }
        return true
    }

    private func hand(
        on packet: [UInt8], _ header: RTPHeader, _ payload: Range<Int>, _ sequence: ExtendedSequence,
        _ codec: NegotiatedCodec, now: Instant
    ) {
        self.codec = codec
        if plain == nil { plain = PacketStatistics(clockRate: codec.codec.clockRate) }
        plain?.note(sequence, timestamp: header.timestamp, size: packet.count, arrival: now)
        outputs.append(
            .packet(
                ReceivedPacket(
                    bytes: packet, payload: payload, codec: codec, sequence: sequence, timestamp: header.timestamp,
                    marker: header.marker, arrival: now)))
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

    private func drain(_ now: Instant) {
        while let output = buffer?.poll() {
            switch output {
            case .frame(let frame): give(frame, now: now)
            case .nack(let missing):
                guard let source else { continue }
                asked.nackedPackets += missing.count
                outputs.append(.nack(source, missing.map(\.wire)))
            case .needKeyframe(let reason): askForKeyframe(isDecoder: reason == .decoderFailed)
            }
        }
    }

    private func give(_ frame: consuming ReceivedFrame, now: Instant) {
        var frame = frame
        switch memory?.complete(&frame) {
        case .remembered: return
        case .missing:
            drops.count(.noParameterSets)
            lacksKeyframe = true
            buffer?.handle(.decoderFailed, now: now)
            return
        case .complete, nil: break
        }
        if frame.isKeyframe { lacksKeyframe = false }
        guard !lacksKeyframe else { return drops.count(.noParameterSets) }
        turn(to: UInt32(truncatingIfNeeded: frame.mediaTime))
        frame.frameIndex = nextFrame
        nextFrame += 1
        if frame.isKeyframe { keyframes += 1 }
        outputs.append(.frame(frame))
    }

    /// Tells of the frame's orientation where it is another than the last one's.
    private func turn(to timestamp: UInt32) {
        guard let index = orientations.firstIndex(where: { $0.timestamp == timestamp }) else { return }
        let value = orientations[index].value
        orientations.removeFirst(index + 1)
        if value != orientation { outputs.append(.orientation(value)) }
        orientation = value
    }

    private func askForKeyframe(isDecoder: Bool) {
        guard let source, let codec else { return }
        let takesPLI = codec.has("nack", "pli")
        if codec.has("ccm", "fir"), isDecoder || !takesPLI {
            firSequence &+= 1
            asked.fullIntraRequests += 1
            outputs.append(.fullIntraRequest(source, firSequence))
        } else if takesPLI {
            asked.pictureLossIndications += 1
            outputs.append(.pictureLoss(source))
        } else {
            drops.count(.cannotAsk)
        }
    }

    func decoderFailed(now: Instant) {
        buffer?.handle(.decoderFailed, now: now)
        drain(now)
    }

    func setRoundTrip(_ time: Duration, now: Instant) {
        roundTrip = time
        buffer?.handle(.roundTrip(time), now: now)
        drain(now)
    }

    // MARK: Reports

    func hear(_ report: SenderReport, now: Instant) {
        guard report.ssrc == source else { return }
        lastSenderReport = (UInt32(truncatingIfNeeded: report.ntpTime >> 16), now)
    }

    /// - Returns: whether it was this stream that ended.
    func hearGoodbye(_ sources: [SSRC]) -> Bool {
        guard let source, sources.contains(source), !hasEnded else { return false }
        hasEnded = true
        return true
    }

    /// `nil` where nothing has come.
    func takeReport(now: Instant) -> ReportBlock? {
        guard let source, isActive, !hasEnded else { return nil }
        var block: ReportBlock
        if let buffer, buffer.statistics.received > 0, let report = self.buffer?.takeReport() {
            block = ReportBlock(
                ssrc: source, fractionLost: report.fractionLost, cumulativeLost: report.cumulativeLost,
                highestSequence: report.highestSequence, jitter: report.jitter, lastSenderReport: 0,
                delaySinceLastSenderReport: 0)
        } else if let report = plain?.takeReport(source) {
            block = report
        } else {
            return nil
        }
        if let last = lastSenderReport {
            block.lastSenderReport = last.compactNTP
            block.delaySinceLastSenderReport = UInt32(
                clamping: (now - last.arrival).nanoseconds / 1000 * 65_536 / 1_000_000)
        }
        return block
    }

    /// Packets of the present stream, as far as its numbers tell, and those that did not come by themselves.
    var expectation: (expected: Int, lost: Int) {
        (
            (buffer?.statistics.expected ?? 0) + (plain?.expected ?? 0),
            (buffer?.statistics.lost ?? 0) + (plain?.lost ?? 0)
        )
    }

    // MARK: Time

    var deadline: Deadline? { isActive ? buffer?.deadline : nil }

    func tick(now: Instant) {
        guard isActive else { return }
        buffer?.tick(now: now)
        drain(now)
    }

    // MARK: Statistics

    private var counted: InboundStatistics {
        var present = InboundStatistics()
        if let statistics = buffer?.statistics {
            present.packets = statistics.received
            present.bytes = statistics.bytes
            present.packetsLost = statistics.lost
            present.packetsRecovered = statistics.recovered
            present.packetsReordered = statistics.reordered
        }
        present.packets += plain?.received ?? 0
        present.bytes += plain?.bytes ?? 0
        present.packetsLost += plain?.lost ?? 0
        present.add(past)
        return present
    }

    var statistics: InboundStatistics {
        var all = counted
        all.ssrc = source
        all.jitter = buffer?.statistics.jitterDuration ?? plain?.jitter ?? .zero
        all.frames = Int(nextFrame)
        all.keyframes = keyframes
        all.nackedPackets = asked.nackedPackets
        all.pictureLossIndications = asked.pictureLossIndications
        all.fullIntraRequests = asked.fullIntraRequests
        return all
    }

    func addDrops(to all: inout [String: Int]) {
        for (name, count) in drops.named { all["media-\(name)", default: 0] += count }
        for (name, count) in pastDrops { all["jitter-\(name)", default: 0] += count }
        for (name, count) in buffer?.drops.named ?? [] { all["jitter-\(name)", default: 0] += count }
    }
}
