internal import DequeModule
internal import HelioCore
internal import HelioMedia
internal import HelioRTP

/// The reception of one RTP stream from another program: it passes packets to a `StreamReceiver`, and sends receiver
/// reports.
final class PlainReception {
    /// The interval between reports, which is the minimum of RFC 3550 section 6.2.
    private static let reportInterval = Duration.seconds(5)
    /// The time after a BYE for which a stream with another SSRC may follow.
    private static let goodbyeTime = Duration.seconds(1)

    let stream: StreamReceiver
    private(set) var drops = DropCounter<MediaDrop>()
    private(set) var bytesReceived = 0
    /// The arrival time of the stream's last packet or sender report.
    private(set) var lastHeard: Instant
    /// The NTP time, on the sender's clock, and the RTP timestamp of the last sender report; `nil` before the first
    /// report.
    private(set) var clock: (time: Instant, timestamp: UInt32)?
    private let payloadType: PayloadType
    private let ownSSRC: SSRC
    private var packets = Deque<(bytes: [UInt8], channel: RTPChannel)>()
    private var goodbyeAt: Instant?
    private var nextReport: Instant
    /// A sender report received before the stream's first packet.
    private var early: SenderReport?
    private var source: SSRC?

    /// - Parameter ssrc: this end's SSRC, the sender of its reports.
    init(_ format: ReceiveFormat, ssrc: SSRC, firstFrame: UInt64, now: Instant) {
        payloadType = format.payloadType
        ownSSRC = ssrc
        var configuration = StreamReceiver.Configuration(.unproven)
        configuration.jitterBuffer.keyframesHaveParameterSets = false
        configuration.firstFrame = firstFrame
        stream = StreamReceiver(configuration, first: format)
        stream.agree([format])
        lastHeard = now
        nextReport = now + Self.reportInterval
    }

    // MARK: Receiving

    func handle(_ packet: consuming [UInt8], _ channel: RTPChannel, now: Instant) {
        bytesReceived += packet.count
        if channel == .rtcp || RTCPPacket.isRTCP(packet.span.bytes) {
            guard let packets = RTCPPacket.parseCompound(packet.span.bytes) else { return drops.count(.malformed) }
            for packet in packets { handle(packet, now: now) }
        } else {
            guard let header = RTPHeader.parse(packet.span.bytes) else { return drops.count(.malformed) }
            guard stream.handle(packet, header, sequence: nil, now: now) else { return }
            lastHeard = now
            goodbyeAt = nil
            if stream.source != source {
                source = stream.source
                clock = nil
                if let early { handle(.senderReport(early), now: now) }
            }
        }
    }

    private func handle(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .senderReport(let report):
            guard stream.handle(report, now: now) else {
                early = report
                return
            }
            // Count a report as a sign of life, as cameras may send only reports while the picture does not change.
            lastHeard = now
            early = nil
            if let time = MediaClock.instant(ntp: report.ntpTime) { clock = (time, report.rtpTimestamp) }
        case .goodbye(let sources): if stream.handleGoodbye(sources) { goodbyeAt = now }
        default: break
        }
    }

    /// Restarts the idle timeout after a sign of life outside the media, such as the response to PLAY.
    func begin(now: Instant) { lastHeard = now }

    // MARK: Sending

    func poll() -> (bytes: [UInt8], channel: RTPChannel)? { packets.popFirst() }

    /// Opens NAT bindings and firewalls for incoming packets: sends an RTP packet without payload, and a receiver
    /// report.
    func punch(now: Instant) {
        var packet: [UInt8] = []
        RTPHeader(marker: false, payloadType: payloadType, sequence: 0, timestamp: 0, ssrc: ownSSRC)
            .write(into: &packet, hasExtension: false)
        packets.append((packet, .rtp))
        report(now: now)
    }

    private func report(now: Instant) {
        nextReport = now + Self.reportInterval
        let blocks = stream.makeReport(now: now).map { [$0] } ?? []
        send([.receiverReport(ReceiverReport(ssrc: ownSSRC, reports: blocks)), name])
    }

    /// Requests a keyframe by a picture loss indication (PLI).
    func sendPictureLoss(of source: SSRC) {
        send([
            .receiverReport(ReceiverReport(ssrc: ownSSRC)), name,
            .pictureLoss(PictureLossIndication(sender: ownSSRC, media: source)),
        ])
    }

    func sayGoodbye() { send([.receiverReport(ReceiverReport(ssrc: ownSSRC)), name, .goodbye([ownSSRC])]) }

    private var name: RTCPPacket { .sourceDescription([SourceDescription(ssrc: ownSSRC, cname: "heliograph")]) }

    private func send(_ packets: [RTCPPacket]) {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        self.packets.append((bytes, .rtcp))
    }

    // MARK: Timers

    var deadline: Deadline? {
        let goodbye = goodbyeAt.map { Deadline(at: $0 + Self.goodbyeTime, why: "stream ended") }
        return .earliest(.earliest(stream.deadline, goodbye), Deadline(at: nextReport, why: "receiver report"))
    }

    func tick(now: Instant) {
        stream.tick(now: now)
        if now >= nextReport { report(now: now) }
    }

    /// True once the stream has ended: a BYE was received, and no packet for `goodbyeTime` after it.
    func hasEnded(now: Instant) -> Bool { goodbyeAt.map { now - $0 >= Self.goodbyeTime } ?? false }
}
