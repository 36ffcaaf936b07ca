import HelioCore
import HelioMedia
import HelioRTP
import HelioSDP

extension MediaTransport {
    /// The maximum number of report blocks or BYE sources in one RTCP packet.
    private static let mostBlocks = 31

    /// The sender SSRC of feedback: the lowest SSRC of the streams that this end has sent, or a configured SSRC if
    /// there is none.
    var feedbackSSRC: SSRC {
        let sending = senders.values.filter { $0.stream.statistics.packets > 0 }.map(\.names.ssrc.rawValue)
        return sending.min().map { SSRC($0) } ?? configuration.feedbackSSRC
    }

    /// Queues a sender report for each outgoing stream; the first contains the report blocks of the incoming streams.
    /// Without an outgoing stream, queues a receiver report if there are report blocks.
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

    /// The estimate of the incoming bandwidth for REMB; `nil` if REMB is not negotiated or transport-wide feedback
    /// replaces it.
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

    /// Queues transport-wide feedback if it is due.
    func putFeedback(now: Instant) {
        guard let section = media.first(where: \.isTransportWide) else { return arrivals.forget() }
        let source = receivers.values.compactMap(\.source).min { $0.rawValue < $1.rawValue } ?? SSRC(0)
        let packets = arrivals.pollFeedback(sender: feedbackSSRC, media: source, now: now)
        for packet in packets { putFeedback([.transportFeedback(packet)], by: section) }
    }

    /// Queues immediate feedback: alone if reduced-size RTCP is negotiated (RFC 5506), otherwise after an empty
    /// receiver report.
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
