package import HelioCore
internal import HelioPlayout
internal import HelioRTP
package import HelioRTSP

/// Plain RTP of another program, a server that we play or a publisher that we take in: believes packets or not, puts
/// them in order, gives out whole frames, and reports back.
///
/// Nothing is sent again, and a keyframe can be asked for only where the description offers it: after a loss all is
/// dropped up to the next keyframe.
package final class ForeignMedia {
    package enum Output {
        case frame(ReceivedFrame)
        case packet([UInt8], RTPChannel)
    }

    /// RFC 3550 section 6.2's least interval.
    private static let reportInterval = Duration.seconds(5)
    /// After its good-bye a stream may go on as another.
    private static let goodbyeTime = Duration.seconds(1)

    /// How long a server that was asked to play may be silent.
    package static let vanishTime = Duration.seconds(5)

    private let codec: VideoCodec
    private let payloadType: PayloadType
    private let ownSSRC: SSRC
    private let takesFeedback: Bool
    private let patience: Duration
    private var source = RTPSource()
    private var sets: ForeignParameterSets
    private var buffer: JitterBuffer
    /// Of the buffers before this one.
    private var past = Totals()
    private var drops = DropCounter<ForeignDrop>()
    private var outputs = OutputQueue<Output>()
    private var nextFrame: UInt64
    private var frames = 0
    private var bytesReceived = 0
    private var lastHeard: Instant
    private var goodbyeAt: Instant?
    private var nextReport: Instant
    private var lastSenderReport: (compactNTP: UInt32, arrival: Instant)?

    /// Why the pictures can't be shown, for people; `nil` as far as is known.
    package var obstacle: String? { sets.obstacle }

    /// A packet of the stream has come.
    package private(set) var hasBegun = false

    /// - Parameters:
    ///   - patience: how long the other end may be silent.
    ///   - firstFrame: the index of the first frame that is given out.
    package init(
        _ description: ForeignDescription, ssrc: SSRC, patience: Duration = ForeignMedia.vanishTime,
        firstFrame: UInt64 = 0, now: Instant
    ) {
        codec = description.codec
        payloadType = description.payloadType
        takesFeedback = description.takesFeedback
        ownSSRC = ssrc
        self.patience = patience
        nextFrame = firstFrame
        sets = ForeignParameterSets(codec: codec, description.parameterSets)
        buffer = Self.makeBuffer(codec)
        lastHeard = now
        nextReport = now + Self.reportInterval
    }

    private static func makeBuffer(_ codec: VideoCodec) -> JitterBuffer {
        var configuration = JitterBuffer.Configuration(codec: codec)
        configuration.hasRetransmission = false
        configuration.keyframesHaveParameterSets = false
        return JitterBuffer(configuration: configuration)
    }

    package func next() -> Output? { outputs.next() }

    // MARK: In

    package func receive(_ packet: consuming [UInt8], _ channel: RTPChannel, now: Instant) {
        bytesReceived += packet.count
        if channel == .rtcp || RTCPPacket.isRTCP(packet.span.bytes) {
            guard let packets = RTCPPacket.parseCompound(packet.span.bytes) else { return drops.count(.malformed) }
            for packet in packets { hear(packet, now: now) }
        } else {
            receiveRTP(packet, now: now)
        }
        drain()
    }

    private func receiveRTP(_ packet: consuming [UInt8], now: Instant) {
        let bytes = packet
        guard let header = RTPHeader.parse(bytes.span.bytes), let payload = header.payload(in: bytes.span.bytes) else {
            return drops.count(.malformed)
        }
        guard header.payloadType == payloadType else { return drops.count(.foreignPayload) }
        let sequence: ExtendedSequence
        switch source.take(header, now: now) {
        case .accepted(let number): sequence = number
        case .restarted(let number):
            sequence = number
            past.add(buffer)
            buffer = Self.makeBuffer(codec)
            lastSenderReport = nil
        case .rejected: return drops.count(.foreignStream)
        }
        hasBegun = true
        lastHeard = now
        goodbyeAt = nil
        buffer.handle(
            .packet(
                MediaPacket(
                    bytes: bytes, payload: payload, sequence: sequence, timestamp: header.timestamp,
                    marker: header.marker, arrival: now)), now: now)
    }

    private func hear(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .senderReport(let report) where report.ssrc == source.ssrc:
            // A camera whose picture rests may send nothing else.
            lastHeard = now
            lastSenderReport = (UInt32(truncatingIfNeeded: report.ntpTime >> 16), now)
        case .goodbye(let sources):
            guard let ssrc = source.ssrc, sources.contains(ssrc) else { return }
            source.end()
            goodbyeAt = now
        default: break
        }
    }

    /// A word of the other end's outside its media: it is there, and has begun to send, say.
    package func begin(now: Instant) { lastHeard = now }

    /// The decoder can't go on without a keyframe.
    package func waitForKeyframe(now: Instant) {
        buffer.handle(.decoderFailed, now: now)
        drain()
    }

    private func drain() {
        while let output = buffer.poll() {
            switch output {
            case .frame(var frame):
                sets.complete(&frame)
                frame.frameIndex = nextFrame
                nextFrame += 1
                frames += 1
                outputs.append(.frame(frame))
            case .needKeyframe: askForKeyframe()
            case .nack: break
            }
        }
    }

    // MARK: Out

    /// Opens a firewall on the way for what comes back: a packet of RTP without payload, and a report.
    package func punch(now: Instant) {
        var packet: [UInt8] = []
        RTPHeader(marker: false, payloadType: payloadType, sequence: 0, timestamp: 0, ssrc: ownSSRC)
            .write(into: &packet, hasExtension: false)
        outputs.append(.packet(packet, .rtp))
        report(now: now)
    }

    private func report(now: Instant) {
        nextReport = now + Self.reportInterval
        var blocks: [ReportBlock] = []
        if buffer.statistics.received > 0, let ssrc = source.ssrc {
            let report = buffer.takeReport()
            let delay = lastSenderReport.map { (now - $0.arrival).nanoseconds } ?? 0
            blocks.append(
                ReportBlock(
                    ssrc: ssrc, fractionLost: report.fractionLost, cumulativeLost: report.cumulativeLost,
                    // The extender begins one wrap up.
                    highestSequence: report.highestSequence &- 0x1_0000, jitter: report.jitter,
                    lastSenderReport: lastSenderReport?.compactNTP ?? 0,
                    delaySinceLastSenderReport: UInt32(clamping: delay / 1000 * 65_536 / 1_000_000)))
        }
        send([.receiverReport(ReceiverReport(ssrc: ownSSRC, reports: blocks)), name])
    }

    /// The buffer says how often (RFC 4585 section 6.3.1).
    private func askForKeyframe() {
        guard takesFeedback, let ssrc = source.ssrc else { return }
        send([
            .receiverReport(ReceiverReport(ssrc: ownSSRC)), name,
            .pictureLoss(PictureLossIndication(sender: ownSSRC, media: ssrc)),
        ])
    }

    package func sayGoodbye() { send([.receiverReport(ReceiverReport(ssrc: ownSSRC)), name, .goodbye([ownSSRC])]) }

    private var name: RTCPPacket { .sourceDescription([SourceDescription(ssrc: ownSSRC, cname: "heliograph")]) }

    private func send(_ packets: [RTCPPacket]) {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        outputs.append(.packet(bytes, .rtcp))
    }

    // MARK: Time

    package var deadline: Deadline? {
        let report = Deadline(at: nextReport, why: "receiver report")
        let vanish = Deadline(at: lastHeard + patience, why: "the other end vanished")
        let goodbye = goodbyeAt.map { Deadline(at: $0 + Self.goodbyeTime, why: "stream ended") }
        return .earliest(.earliest(buffer.deadline, goodbye), .earliest(report, vanish))
    }

    package func tick(now: Instant) {
        buffer.tick(now: now)
        drain()
        if now >= nextReport { report(now: now) }
    }

    /// The stream said good-bye, and no other took its place.
    package func hasEnded(now: Instant) -> Bool { goodbyeAt.map { now - $0 >= Self.goodbyeTime } ?? false }

    package func hasVanished(now: Instant) -> Bool { now - lastHeard >= patience }

    // MARK: Statistics

    package func add(to statistics: inout SinkSession.Statistics) {
        var totals = past
        totals.add(buffer)
        statistics.packetsReceived += totals.received
        statistics.packetsLost += totals.lost
        statistics.packetsReordered += totals.reordered
        statistics.bytesReceived += bytesReceived
        statistics.frames += UInt64(frames)
        statistics.jitter = buffer.statistics.jitterDuration
        for (name, count) in drops.named { statistics.drops["media-\(name)", default: 0] += count }
        for (name, count) in totals.drops { statistics.drops["jitter-\(name)", default: 0] += count }
    }

    private struct Totals {
        var received = 0
        var lost = 0
        var reordered = 0
        var drops: [String: Int] = [:]

        mutating func add(_ buffer: JitterBuffer) {
            received += buffer.statistics.received
            lost += buffer.statistics.lost
            reordered += buffer.statistics.reordered
            for (name, count) in buffer.drops.named { drops[name, default: 0] += count }
        }
    }
}

/// What is thrown away of another program's media, by name.
package enum ForeignDrop: String, Sendable, CaseIterable, Hashable {
    case malformed
    /// Of a payload type that is not the video's.
    case foreignPayload = "foreign-payload"
    /// Of another source than the one that is shown.
    case foreignStream = "foreign-stream"
    /// Interleaved, on a channel that was not agreed on.
    case foreignChannel = "foreign-channel"
    /// Over UDP, longer than is taken.
    case truncated
    /// A response that nobody waits for.
    case strayResponse = "stray-response"
}
