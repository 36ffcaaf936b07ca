internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
import HelioRTP

/// The sink's media: decrypts packets, gives out the frames that its stream makes of them, and sends reports.
///
/// Packets are authenticated and decrypted, then checked for replay, then reordered and reassembled (defect 1).
package final class SinkMedia {
    package enum Output {
        case datagram([UInt8])
        case frame(ReceivedFrame)
        case goodbye
    }

    /// The idle timeout of a host. It reports every second, moving picture or not.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.milliseconds(500)
    /// The wait for media between the first report and the second.
    private static let firstPatience = Duration.milliseconds(40)

    private let hostSSRC: SSRC
    private let viewerSSRC: SSRC
    private let stream: StreamReceiver
    private var opener: SRTPReceiver
    private var sealer: SRTPSender
    private var arrivals = TransportArrivals()
    private var drops = DropCounter<MediaDrop>()
    private var bytesReceived = 0
    private var outputs = Deque<Output>()

    private var lastHeard: Instant
    private var lastReport: Instant
    /// True once a packet of media has come.
    private var hasMedia = false
    /// The wait for media after the last report, which the host may not have got: it sends nothing before it has one.
    private var patience = SinkMedia.firstPatience

    package init(
        offer: StreamOffer, viewerKey: SRTPMasterKey, hostSSRC: SSRC, retransmissionSSRC: SSRC, paritySSRC: SSRC,
        viewerSSRC: SSRC, crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        self.hostSSRC = hostSSRC
        self.viewerSSRC = viewerSSRC
        opener = try SRTPReceiver(key: offer.mediaKey, crypto: crypto)
        sealer = try SRTPSender(key: viewerKey, crypto: crypto)
        var configuration = StreamReceiver.Configuration(.agreed(hostSSRC))
        // A keyframe would take as long as a retransmission and a half, and cost everybody more.
        configuration.jitterBuffer.leastRoundTrips = 3
        configuration.stampedElements = [StreamOffer.transportSequenceID]
        stream = StreamReceiver(configuration, first: Self.format(offer.format.codec))
        stream.agree(
            VideoCodec.allCases.map(Self.format), retransmissions: [hostSSRC: retransmissionSSRC],
            parity: (paritySSRC, StreamOffer.parityType))
        lastHeard = now
        lastReport = now
    }

    private static func format(_ codec: VideoCodec) -> ReceiveFormat {
        var format = ReceiveFormat(payloadType: StreamOffer.payloadType(codec), video: codec)
        format.retransmissionType = StreamOffer.retransmissionType(codec)
        format.takesNACK = true
        format.takesPictureLoss = true
        format.takesFullIntraRequest = true
        format.givesRepairs = true
        return format
    }

    package func poll() -> Output? { outputs.popFirst() }

    // MARK: In

    package func handle(_ datagram: consuming [UInt8], now: Instant) {
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
            for packet in packets { handle(packet, now: now) }
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
        hasMedia = true
        receive(packet, sequence: opened.sequence, isRestored: false, now: now)
    }

    /// Hands a plain packet to its stream.
    ///
    /// - Parameter isRestored: true where it did not come: the host is to know that it was lost.
    private func receive(_ packet: [UInt8], sequence: ExtendedSequence, isRestored: Bool, now: Instant) {
        let bytes = packet.span.bytes
        guard let header = RTPHeader.parse(bytes) else { return drops.count(.malformed) }
        let timing = RTPHeaderExtension.find(id: StreamOffer.timingExtensionID, of: header, in: bytes)
            .flatMap { FrameTimingExtension.parse(bytes.extracting($0)) }
        let repair = RepairExtension(id: StreamOffer.repairID, of: header, in: bytes)
        if !isRestored,
            let number = TransportSequence(id: StreamOffer.transportSequenceID, of: header, in: bytes)
        {
            arrivals.note(number.number, arrival: now)
        }
        stream.handle(
            packet, header, sequence: sequence, timing: timing, repairsSince: repair?.since, isRestored: isRestored,
            now: now)
    }

    private func handle(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .senderReport(let report): stream.handle(report, now: now)
        case .applicationDefined(let packet):
            if let answer = PathChallenge.answer(to: packet, from: viewerSSRC) { putRTCP([answer]) }
        case .goodbye(let sources): if stream.handleGoodbye(sources) { outputs.append(.goodbye) }
        default: break
        }
    }

    package func setRoundTrip(_ time: Duration) {
        stream.setRoundTrip(time, now: lastHeard)
        drain(lastHeard)
    }

    func requestKeyframe(now: Instant) {
        stream.decoderFailed(now: now)
        drain(now)
    }

    private func drain(_ now: Instant) {
        while let output = stream.poll() {
            switch output {
            case .frame(let frame): outputs.append(.frame(frame))
            case .restored(let packet, let sequence):
                receive(packet, sequence: sequence, isRestored: true, now: now)
            case .nack(let source, let lost):
                putRTCP([.genericNACK(GenericNACK(sender: viewerSSRC, media: source, lost: lost))])
            case .pictureLoss(let source):
                putRTCP([.pictureLoss(PictureLossIndication(sender: viewerSSRC, media: source))])
            case .referenceSelection(let source, let type, let timestamp):
                putRTCP([
                    .referenceSelection(
                        ReferencePictureSelection(
                            sender: viewerSSRC, media: source, payloadType: type, timestamp: timestamp))
                ])
            case .fullIntraRequest(let source, let sequence):
                putRTCP([
                    .fullIntraRequest(
                        FullIntraRequest(sender: viewerSSRC, entries: [.init(ssrc: source, sequence: sequence)]))
                ])
            case .orientation, .packet: break
            }
        }
    }

    // MARK: Out

    /// Sends a receiver report.
    package func report(now: Instant) {
        lastReport = now
        let blocks = stream.makeReport(now: now).map { [$0] } ?? []
        putRTCP([
            .receiverReport(ReceiverReport(ssrc: viewerSSRC, reports: blocks)),
            .sourceDescription([SourceDescription(ssrc: viewerSSRC, cname: "heliograph")]),
        ])
    }

    /// Tells the host which packets came, and when, once that is due.
    private func putFeedback(now: Instant) {
        for feedback in arrivals.pollFeedback(sender: viewerSSRC, media: hostSSRC, now: now) {
            putRTCP([.transportFeedback(feedback)])
        }
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

    package var deadline: Deadline? {
        let report = Deadline(at: nextReport, why: hasMedia ? "receiver report" : "no media have come")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "host vanished")
        let feedback = arrivals.dueAt.map { Deadline(at: $0, why: "transport-wide feedback") }
        return .earliest(.earliest(stream.deadline, feedback), .earliest(report, vanish))
    }

    package func tick(now: Instant) {
        stream.tick(now: now)
        drain(now)
        putFeedback(now: now)
        guard now >= nextReport else { return }
        if !hasMedia { patience = min(patience * 2, Self.reportInterval) }
        report(now: now)
    }

    private var nextReport: Instant { lastReport + (hasMedia ? Self.reportInterval : patience) }

    /// The time for which the host has been silent, once that exceeds the idle timeout.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    // MARK: Statistics

    package func add(to all: inout SinkStatistics) {
        all.add(stream, bytesReceived: bytesReceived)
        all.drops.add(drops, as: "media-")
        all.drops.add(opener.drops, as: "srtp-")
    }
}
