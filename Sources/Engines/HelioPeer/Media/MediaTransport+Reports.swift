import HelioCore
import HelioMedia
import HelioRTP
import HelioSDP

extension MediaTransport {
    /// The most report blocks in one packet.
    private static let mostBlocks = 31

    /// The sender SSRC of feedback: that of a stream that this end sends, which the peer knows, or else a configured
    /// one.
    var feedbackSSRC: SSRC {
        let sending = senders.values.filter { $0.stream.statistics.packets > 0 }.map(\.names.ssrc.rawValue)
        return sending.min().map { SSRC($0) } ?? configuration.feedbackSSRC
    }

    /// Queues a sender report for each stream sent, the first with the report blocks of the streams received; without a
    /// stream sent, a receiver report.
    func report(now: Instant) {
        nextReport = nextReportTime(after: now)
        estimator.update(now)
        share(estimator.estimate)
        let blocks = receivers.values.compactMap { $0.makeReport(now: now) }
            .sorted { $0.ssrc.rawValue < $1.ssrc.rawValue }
        var extra: [RTCPPacket] = []
        if let bitrate = estimatedIncoming(now: now) {
            extra = [
                .receiverEstimatedBitrate(
                    ReceiverEstimatedBitrate(sender: feedbackSSRC, bitrate: bitrate, streams: blocks.map(\.ssrc)))
            ]
        }
        var rest = Array(blocks.prefix(Self.mostBlocks))
        let reports = senders.values.compactMap { $0.stream.makeReport(now: now) }.sorted {
            $0.ssrc.rawValue < $1.ssrc.rawValue
        }
        for var report in reports {
            report.reports = rest
            putRTCP([.senderReport(report), name(report.ssrc)] + extra)
            rest = []
            extra = []
        }
        guard reports.isEmpty, !rest.isEmpty else { return }
        putRTCP([.receiverReport(ReceiverReport(ssrc: feedbackSSRC, reports: rest)), name(feedbackSSRC)] + extra)
    }

    /// The estimate to send as REMB; `nil` if the peer doesn't want it, or gets more from transport-wide feedback.
    private func estimatedIncoming(now: Instant) -> Bitrate? {
        guard transportSequenceID == nil,
            media.contains(where: { section in
                section.direction.receives && section.codecs.contains { $0.has("goog-remb") }
            })
        else { return nil }
        let known = receivers.values.map(\.expectation)
        return incomingRate.evaluate(
            expected: known.reduce(0) { $0 + $1.expected }, lost: known.reduce(0) { $0 + $1.lost }, now: now)
    }

    /// Queues transport-wide feedback, once it is due.
    func putFeedback(now: Instant) {
        guard let section = media.first(where: \.isTransportWide) else { return arrivals.forget() }
        let source = receivers.values.compactMap(\.source).min { $0.rawValue < $1.rawValue } ?? SSRC(0)
        let packets = arrivals.pollFeedback(sender: feedbackSSRC, media: source, now: now)
        for packet in packets { putFeedback([.transportFeedback(packet)], by: section) }
    }

    /// Queues feedback that must not wait: alone where the peer takes reduced-size RTCP (RFC 5506), otherwise after an
    /// empty report.
    func putFeedback(_ packets: [RTCPPacket], by section: NegotiatedMedia) {
        guard isOpen else { return }
        if section.hasReducedSizeRTCP { return putRTCP(packets) }
        putRTCP([.receiverReport(ReceiverReport(ssrc: feedbackSSRC)), name(feedbackSSRC)] + packets)
    }

    func putGoodbye(_ sources: [SSRC]) {
        guard isOpen, let first = sources.first else { return }
        putRTCP([
            .receiverReport(ReceiverReport(ssrc: first)), name(first), .goodbye(Array(sources.prefix(Self.mostBlocks))),
        ])
    }

    private func name(_ ssrc: SSRC) -> RTCPPacket {
        .sourceDescription([SourceDescription(ssrc: ssrc, cname: configuration.cname)])
    }

    private func putRTCP(_ packets: [RTCPPacket]) {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        put(.rtcp(bytes))
    }
}
