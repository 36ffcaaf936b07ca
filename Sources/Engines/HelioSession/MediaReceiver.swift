import HelioCongestion
import HelioCore
import HelioPlayout
import HelioProtection
import HelioRTP

/// The viewer's media: opens packets, puts them in order, gives out whole frames, and reports back.
///
/// Authenticate and open, then check for replay, then reorder and reassemble (defect 1).
final class MediaReceiver {
    enum Output {
        case datagram([UInt8])
        case frame(ReceivedFrame)
        case goodbye
    }

    /// A host that says nothing for so long has vanished. It reports every second, moving picture or not.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.milliseconds(500)

    private let hostSSRC: SSRC
    private let viewerSSRC: SSRC
    private var opener: SRTPReceiver
    private var sealer: SRTPSender
    private(set) var buffer: JitterBuffer
    private var rate: ReceiveRateController
    private var codec: VideoCodec
    private(set) var drops = DropCounter<MediaReceiverDrop>()
    private(set) var bytesReceived = 0
    private var outputs = OutputQueue<Output>()

    private var lastHeard: Instant
    private var nextReport: Instant
    private var lastSenderReport: (compactNTP: UInt32, arrival: Instant)?
    private var firSequence: UInt8 = 0

    init(
        offer: StreamOffer, viewerKey: SRTPMasterKey, hostSSRC: SSRC, viewerSSRC: SSRC, mostBitrate: Bitrate,
        crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        self.hostSSRC = hostSSRC
        self.viewerSSRC = viewerSSRC
        opener = try SRTPReceiver(key: offer.mediaKey, crypto: crypto)
        sealer = try SRTPSender(key: viewerKey, crypto: crypto)
        codec = offer.format.codec
        buffer = JitterBuffer(configuration: .init(codec: offer.format.codec))
        rate = ReceiveRateController(configuration: .init(most: mostBitrate))
        lastHeard = now
        nextReport = now + Self.reportInterval
    }

    func next() -> Output? { outputs.next() }

    /// What the sink suggests to the source (row 17).
    var suggestedBitrate: Bitrate { rate.suggestion }

    // MARK: In

    func receive(_ datagram: consuming [UInt8], now: Instant) {
        var datagram = datagram
        bytesReceived += datagram.count
        if RTCPPacket.isRTCP(datagram.span.bytes) {
            do {
                _ = try opener.open(rtcp: &datagram)
            } catch {
                return drops.count(.notGenuine)
            }
            lastHeard = now
            guard let packets = RTCPPacket.parseCompound(datagram.span.bytes) else { return drops.count(.malformed) }
            for packet in packets { hear(packet, now: now) }
        } else {
            receiveRTP(datagram, now: now)
        }
        drain(now)
    }

    private func receiveRTP(_ datagram: consuming [UInt8], now: Instant) {
        var packet = datagram
        let opened: SRTPReceiver.OpenedRTP
        do {
            opened = try opener.open(rtp: &packet)
        } catch {
            return drops.count(.notGenuine)
        }
        lastHeard = now
        guard opened.ssrc == hostSSRC else { return drops.count(.foreignStream) }
        let bytes = packet.span.bytes
        guard let header = RTPHeader.parse(bytes), let codec = StreamOffer.codec(header.payloadType),
            let payload = header.payload(in: bytes)
        else { return drops.count(.malformed) }
        if codec != self.codec, !changeCodec(to: codec, at: opened.sequence, now: now) {
            return drops.count(.earlierCodec)
        }
        var timing: FrameTimingExtension?
        if let data = RTPHeaderExtension.find(id: StreamOffer.timingExtensionID, of: header, in: bytes) {
            timing = FrameTimingExtension.parse(bytes.extracting(data))
        }
        rate.received(bytes: packet.count, sent: timing?.sent, arrival: now)
        let media = MediaPacket(
            bytes: packet, payload: payload, sequence: opened.sequence, timestamp: header.timestamp,
            marker: header.marker, timing: timing, arrival: now)
        buffer.handle(.packet(media), now: now)
    }

    /// The stream goes on in another codec behind all that came before; what is older than that is of no use.
    private func changeCodec(to codec: VideoCodec, at sequence: ExtendedSequence, now: Instant) -> Bool {
        guard buffer.change(to: codec, at: sequence, now: now) else { return false }
        self.codec = codec
        return true
    }

    private func hear(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .senderReport(let report) where report.ssrc == hostSSRC:
            lastSenderReport = (UInt32(truncatingIfNeeded: report.ntpTime >> 16), now)
        case .applicationDefined(let packet):
            if let answer = PathChallenge.answer(to: packet, from: viewerSSRC) { putRTCP([answer]) }
        case .goodbye(let sources) where sources.contains(hostSSRC):
            outputs.append(.goodbye)
        default: break
        }
    }

    /// Another rate was agreed on.
    func setMostBitrate(_ most: Bitrate) { rate.setMost(most) }

    func setRoundTrip(_ time: Duration) { buffer.handle(.roundTrip(time), now: lastHeard) }

    func requestKeyframe(now: Instant) {
        buffer.handle(.decoderFailed, now: now)
        drain(now)
    }

    private func drain(_ now: Instant) {
        while let output = buffer.poll() {
            switch output {
            case .frame(let frame): outputs.append(.frame(frame))
            case .nack(let missing):
                putRTCP([
                    .genericNACK(GenericNACK(sender: viewerSSRC, media: hostSSRC, lost: missing.map(\.wire)))
                ])
            case .needKeyframe(.decoderFailed):
                firSequence &+= 1
                putRTCP([
                    .fullIntraRequest(
                        FullIntraRequest(sender: viewerSSRC, entries: [.init(ssrc: hostSSRC, sequence: firSequence)]))
                ])
            case .needKeyframe:
                putRTCP([.pictureLoss(PictureLossIndication(sender: viewerSSRC, media: hostSSRC))])
            }
        }
    }

    // MARK: Out

    /// A receiver report with what the path is thought to carry.
    func report(now: Instant) {
        nextReport = now + Self.reportInterval
        let statistics = buffer.statistics
        _ = rate.evaluate(expected: statistics.expected, lost: statistics.lost, now: now)
        var blocks: [ReportBlock] = []
        if statistics.received > 0 {
            let report = buffer.takeReport()
            let delay = lastSenderReport.map { (now - $0.arrival).nanoseconds } ?? 0
            blocks.append(
                ReportBlock(
                    ssrc: hostSSRC, fractionLost: report.fractionLost, cumulativeLost: report.cumulativeLost,
                    highestSequence: report.highestSequence, jitter: report.jitter,
                    lastSenderReport: lastSenderReport?.compactNTP ?? 0,
                    delaySinceLastSenderReport: UInt32(clamping: delay / 1000 * 65_536 / 1_000_000)))
        }
        putRTCP([
            .receiverReport(ReceiverReport(ssrc: viewerSSRC, reports: blocks)),
            .sourceDescription([SourceDescription(ssrc: viewerSSRC, cname: "heliograph")]),
            .receiverEstimatedBitrate(
                ReceiverEstimatedBitrate(sender: viewerSSRC, bitrate: rate.suggestion, streams: [hostSSRC])),
        ])
    }

    func sayGoodbye() {
        putRTCP([.receiverReport(ReceiverReport(ssrc: viewerSSRC)), .goodbye([viewerSSRC])])
    }

    private func putRTCP(_ packets: [RTCPPacket]) {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        do {
            try sealer.protect(rtcp: &bytes)
            outputs.append(.datagram(bytes))
        } catch {
            drops.count(.protectionFailed)
        }
    }

    // MARK: Time

    var deadline: Deadline? {
        let report = Deadline(at: nextReport, why: "receiver report")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "host vanished")
        return Deadline.earliest(buffer.deadline, Deadline.earliest(report, vanish))
    }

    func tick(now: Instant) {
        buffer.tick(now: now)
        drain(now)
        if now >= nextReport { report(now: now) }
    }

    /// How long the host has been silent, once that is too long.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    /// Everything that was thrown away, by name.
    var allDrops: [String: Int] {
        var all: [String: Int] = [:]
        for (name, count) in drops.named { all["media-\(name)"] = count }
        for (name, count) in buffer.drops.named { all["jitter-\(name)"] = count }
        for (name, count) in opener.drops.named { all["srtp-\(name)"] = count }
        return all
    }
}

/// What a viewer's media path throws away, by name.
enum MediaReceiverDrop: String, Sendable, CaseIterable, Hashable {
    case notGenuine = "not-genuine"
    case foreignStream = "foreign-stream"
    case malformed
    /// The stream has changed to another codec meanwhile.
    case earlierCodec = "earlier-codec"
    case protectionFailed = "protection-failed"
}
