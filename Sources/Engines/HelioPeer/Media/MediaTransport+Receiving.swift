import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP
import HelioSDP

extension MediaTransport {
    func handle(rtp packet: [UInt8], _ opened: SRTPReceiver.OpenedRTP, now: Instant) {
        guard let header = RTPHeader.parse(packet.span.bytes), header.ssrc == opened.ssrc,
            header.sequence == opened.sequence.wire
        else { return counted.count(.malformedRTP) }
        // Transport-wide feedback reports every packet that arrived, even if it is dropped below.
        if let id = transportSequenceID,
            let number = TransportSequence(id: id, of: header, in: packet.span.bytes)
        {
            arrivals.note(number.number, arrival: now)
        }
        let sent = sendTimeID.flatMap { AbsoluteSendTime(id: $0, of: header, in: packet.span.bytes) }
        incomingRate.note(size: packet.count, sent: sent, arrival: now)
        let orientation = orientationID.flatMap { VideoOrientation(id: $0, of: header, in: packet.span.bytes) }
        switch directory.section(of: header, in: packet.span.bytes, now: now) {
        case .failure(let unknown): counted.count(unknown.drop)
        case .success(let id):
            guard let receiver = receivers[id], receiver.isActive else { return counted.count(.unknownStream) }
            receiver.handle(packet, header, sequence: opened.sequence, orientation: orientation, now: now)
        }
    }

    /// Handles a lost packet restored from parity, whose arrival is not reported in feedback.
    func receive(restored packet: [UInt8], _ sequence: ExtendedSequence, by receiver: StreamReceiver, now: Instant) {
        guard let header = RTPHeader.parse(packet.span.bytes) else { return counted.count(.malformedParity) }
        let orientation = orientationID.flatMap { VideoOrientation(id: $0, of: header, in: packet.span.bytes) }
        receiver.handle(packet, header, sequence: sequence, orientation: orientation, isRestored: true, now: now)
    }

    func handle(rtcp datagram: [UInt8], now: Instant) {
        guard let packets = RTCPPacket.parseCompound(datagram.span.bytes) else { return counted.count(.malformedRTCP) }
        for packet in packets { handle(packet, now: now) }
    }

    private func handle(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .senderReport(let report):
            for receiver in receivers.values { receiver.handle(report, now: now) }
            handle(report.reports, now: now)
        case .receiverReport(let report): handle(report.reports, now: now)
        case .sourceDescription, .applicationDefined: break
        case .goodbye(let sources):
            for (id, receiver) in receivers where receiver.handleGoodbye(sources) { put(.event(.goodbye(id))) }
        case .genericNACK(let nack):
            guard let section = section(sending: nack.media) else { return counted.count(.strayFeedback) }
            section.stream.handle(nack, now: now)
        case .pictureLoss(let loss):
            guard let section = section(sending: loss.media) else { return counted.count(.strayFeedback) }
            if section.isVideo { section.stream.handlePictureLoss() }
        case .referenceSelection(let selection):
            guard let section = section(sending: selection.media) else { return counted.count(.strayFeedback) }
            section.stream.handle(selection, now: now)
        case .fullIntraRequest(let request):
            for entry in request.entries {
                guard let section = section(sending: entry.ssrc) else {
                    counted.count(.strayFeedback)
                    continue
                }
                if section.isVideo { section.stream.handleFullIntraRequest(entry, from: request.sender) }
            }
        case .receiverEstimatedBitrate(let estimate):
            estimator.handle(estimate, now: now)
            share(estimator.estimate)
        case .transportFeedback(let feedback):
            if let drop = estimator.handle(feedback, now: now) { counted.count(drop) }
            for copy in estimator.arrived { section(sending: copy.ssrc)?.stream.handle(arrived: copy) }
            for copy in estimator.missing { section(sending: copy.ssrc)?.stream.handle(missing: copy, now: now) }
            planParity(now: now)
            share(estimator.estimate)
        case .extendedReport(let report): answer(report)
        }
    }

    /// Answers a receiver reference time report (RRTR) at once, so that the reported delay is 0 (RFC 3611 section 4.5).
    ///
    /// A libwebrtc that only receives needs this answer to measure the round trip; until then it repeats NACKs after
    /// 100 ms.
    private func answer(_ report: ExtendedReport) {
        guard let time = report.referenceTime else { return }
        guard let section = media.first(where: { $0.hasReceiverRoundTrip && $0.direction.sends }) else {
            return counted.count(.strayFeedback)
        }
        let last = UInt32(truncatingIfNeeded: time >> 16)
        let answer = ExtendedReport.Answer(ssrc: report.sender, lastReferenceTime: last, delay: 0)
        putFeedback([.extendedReport(ExtendedReport(sender: feedbackSSRC, answers: [answer]))], by: section)
    }

    private func handle(_ blocks: [ReportBlock], now: Instant) {
        for block in blocks {
            guard let stream = section(sending: block.ssrc)?.stream else { continue }
            stream.handle(block, now: now)
            estimator.handle(block, now: now)
            guard let time = stream.statistics.roundTrip else { continue }
            estimator.setRoundTrip(time)
            for receiver in receivers.values { receiver.setRoundTrip(time, now: now) }
        }
    }

    private func section(sending ssrc: SSRC) -> OutgoingSection? {
        senders.first { $0.value.names.ssrc == ssrc }?.value
    }
}
