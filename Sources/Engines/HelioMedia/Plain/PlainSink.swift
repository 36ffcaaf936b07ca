internal import DequeModule
package import HelioCore
package import HelioRTP

/// The receiving end of a plain RTP stream of another program, a server that we play or a publisher that we record:
/// validates packets, gives out whole frames, and sends receiver reports.
///
/// There is no retransmission, and a keyframe can be asked for only where the description offers it: after a loss all
/// is dropped up to the next keyframe.
package final class PlainSink {
    package enum Output {
        case frame(ReceivedFrame)
        case packet([UInt8], RTPChannel)
    }

    /// The least interval between reports (RFC 3550 section 6.2).
    private static let reportInterval = Duration.seconds(5)
    /// The wait after a BYE in which the stream may go on under another SSRC.
    private static let goodbyeTime = Duration.seconds(1)

    /// The idle timeout of a server that was asked to play.
    package static let vanishTime = Duration.seconds(5)

    private let payloadType: PayloadType
    private let ownSSRC: SSRC
    private let patience: Duration
    private let stream: StreamReceiver
    private var drops = DropCounter<MediaDrop>()
    private var outputs = Deque<Output>()
    private var bytesReceived = 0
    private var lastHeard: Instant
    private var goodbyeAt: Instant?
    private var nextReport: Instant

    /// - Parameters:
    ///   - format: the stream's format, as described.
    ///   - ssrc: this end's SSRC.
    ///   - patience: the idle timeout of the other end.
    ///   - firstFrame: the index of the first frame that is given out.
    package init(
        _ format: ReceiveFormat, ssrc: SSRC, patience: Duration = PlainSink.vanishTime, firstFrame: UInt64 = 0,
        now: Instant
    ) {
        payloadType = format.payloadType
        ownSSRC = ssrc
        self.patience = patience
        var configuration = StreamReceiver.Configuration(.unproven)
        configuration.jitterBuffer.keyframesHaveParameterSets = false
        configuration.firstFrame = firstFrame
        stream = StreamReceiver(configuration, first: format)
        stream.agree([format])
        lastHeard = now
        nextReport = now + Self.reportInterval
    }

    /// The reason why the pictures can't be shown, for people; `nil` as far as is known.
    package var obstacle: String? { stream.obstacle }

    /// True once a packet of the stream has come.
    package var hasBegun: Bool { stream.hasBegun }

    package func poll() -> Output? { outputs.popFirst() }

    // MARK: In

    package func handle(_ packet: consuming [UInt8], _ channel: RTPChannel, now: Instant) {
        bytesReceived += packet.count
        if channel == .rtcp || RTCPPacket.isRTCP(packet.span.bytes) {
            guard let packets = RTCPPacket.parseCompound(packet.span.bytes) else { return drops.count(.malformed) }
            for packet in packets { handle(packet, now: now) }
        } else {
            guard let header = RTPHeader.parse(packet.span.bytes) else { return drops.count(.malformed) }
            if stream.handle(packet, header, sequence: nil, now: now) {
                lastHeard = now
                goodbyeAt = nil
            }
        }
        drain()
    }

    private func handle(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        // A camera whose picture rests may send nothing else.
        case .senderReport(let report): if stream.handle(report, now: now) { lastHeard = now }
        case .goodbye(let sources): if stream.handleGoodbye(sources) { goodbyeAt = now }
        default: break
        }
    }

    /// Restarts the idle timeout on a sign of life outside the media, such as the answer to PLAY.
    package func begin(now: Instant) { lastHeard = now }

    /// Waits for a keyframe: the decoder can't go on without one.
    package func waitForKeyframe(now: Instant) {
        stream.decoderFailed(now: now)
        drain()
    }

    private func drain() {
        while let output = stream.poll() {
            switch output {
            case .frame(let frame): outputs.append(.frame(frame))
            case .pictureLoss(let source):
                // The jitter buffer limits how often (RFC 4585 section 6.3.1).
                send([
                    .receiverReport(ReceiverReport(ssrc: ownSSRC)), name,
                    .pictureLoss(PictureLossIndication(sender: ownSSRC, media: source)),
                ])
            case .orientation, .packet, .restored, .nack, .fullIntraRequest, .referenceSelection: break
            }
        }
    }

    // MARK: Out

    /// Opens the return path through a firewall: sends an RTP packet without payload, and a report.
    package func punch(now: Instant) {
        var packet: [UInt8] = []
        RTPHeader(marker: false, payloadType: payloadType, sequence: 0, timestamp: 0, ssrc: ownSSRC)
            .write(into: &packet, hasExtension: false)
        outputs.append(.packet(packet, .rtp))
        report(now: now)
    }

    private func report(now: Instant) {
        nextReport = now + Self.reportInterval
        let blocks = stream.makeReport(now: now).map { [$0] } ?? []
        send([.receiverReport(ReceiverReport(ssrc: ownSSRC, reports: blocks)), name])
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
        return .earliest(.earliest(stream.deadline, goodbye), .earliest(report, vanish))
    }

    package func tick(now: Instant) {
        stream.tick(now: now)
        drain()
        if now >= nextReport { report(now: now) }
    }

    /// True once the stream has sent BYE and no other has taken its place.
    package func hasEnded(now: Instant) -> Bool { goodbyeAt.map { now - $0 >= Self.goodbyeTime } ?? false }

    package func hasVanished(now: Instant) -> Bool { now - lastHeard >= patience }

    // MARK: Statistics

    package func add(to all: inout SinkStatistics) {
        all.add(stream, bytesReceived: bytesReceived)
        all.drops.add(drops, as: "media-")
    }
}
