import HelioCore

extension RTCPPacket {
    /// Appends the packet. Consecutive packets form a compound, which by RFC 3550 has to start with a report and
    /// include the sender's CNAME; RFC 5506 lifts that requirement.
    ///
    /// - Precondition: no list exceeds its type's maximum length.
    package func write(into datagram: inout [UInt8]) {
        let start = datagram.count
        datagram.append(0x80 | count)
        datagram.append(kind.rawValue)
        datagram.append(bigEndian: UInt16(0))
        writeBody(into: &datagram)
        datagram.set(bigEndian: UInt16((datagram.count - start) / 4 - 1), at: start + 2)
    }

    private var kind: Kind {
        switch self {
        case .senderReport: .senderReport
        case .receiverReport: .receiverReport
        case .sourceDescription: .sourceDescription
        case .goodbye: .goodbye
        case .applicationDefined: .applicationDefined
        case .genericNACK, .transportFeedback: .transportFeedback
        case .pictureLoss, .referenceSelection, .fullIntraRequest, .receiverEstimatedBitrate: .payloadFeedback
        case .extendedReport: .extendedReport
        }
    }

    /// The header's 5-bit field: a count, subtype or format.
    private var count: UInt8 {
        switch self {
        case .senderReport(let report): Self.checked(report.reports.count)
        case .receiverReport(let report): Self.checked(report.reports.count)
        case .sourceDescription(let chunks): Self.checked(chunks.count)
        case .goodbye(let sources): Self.checked(sources.count)
        case .applicationDefined(let packet): packet.subtype
        case .genericNACK: Format.genericNACK
        case .pictureLoss: Format.pictureLoss
        case .referenceSelection: Format.referenceSelection
        case .fullIntraRequest: Format.fullIntraRequest
        case .receiverEstimatedBitrate: Format.applicationLayer
        case .transportFeedback: Format.transportWide
        case .extendedReport: 0
        }
    }

    private static func checked(_ count: Int) -> UInt8 {
        precondition(count <= maximumCount, "an RTCP packet counts no further than 31")
        return UInt8(count)
    }

    private func writeBody(into datagram: inout [UInt8]) {
        switch self {
        case .senderReport(let report):
            datagram.append(bigEndian: report.ssrc.rawValue)
            datagram.append(bigEndian: report.ntpTime)
            datagram.append(bigEndian: report.rtpTimestamp)
            datagram.append(bigEndian: report.packetCount)
            datagram.append(bigEndian: report.octetCount)
            for block in report.reports { block.write(into: &datagram) }
        case .receiverReport(let report):
            datagram.append(bigEndian: report.ssrc.rawValue)
            for block in report.reports { block.write(into: &datagram) }
        case .sourceDescription(let chunks):
            for chunk in chunks { Self.write(chunk, into: &datagram) }
        case .goodbye(let sources):
            for source in sources { datagram.append(bigEndian: source.rawValue) }
        case .applicationDefined(let packet):
            datagram.append(bigEndian: packet.sender.rawValue)
            datagram.append(bigEndian: packet.name)
            datagram += packet.data
        case .genericNACK(let nack):
            precondition(nack.entries.count <= GenericNACK.maximumEntries, "too many entries in a NACK")
            datagram.append(bigEndian: nack.sender.rawValue)
            datagram.append(bigEndian: nack.media.rawValue)
            for entry in nack.entries {
                datagram.append(bigEndian: entry.packetID)
                datagram.append(bigEndian: entry.following)
            }
        case .pictureLoss(let indication):
            datagram.append(bigEndian: indication.sender.rawValue)
            datagram.append(bigEndian: indication.media.rawValue)
        case .referenceSelection(let selection):
            precondition(
                (1...ReferencePictureSelection.maximumBytes).contains(selection.picture.count), "no such bit string")
            datagram.append(bigEndian: selection.sender.rawValue)
            datagram.append(bigEndian: selection.media.rawValue)
            let padding = (4 - (2 + selection.picture.count) % 4) % 4
            datagram.append(UInt8(padding * 8))
            datagram.append(selection.payloadType.rawValue & 0x7F)
            datagram += selection.picture
            datagram.append(contentsOf: repeatElement(0, count: padding))
        case .fullIntraRequest(let request):
            precondition(request.entries.count <= FullIntraRequest.maximumEntries, "too many entries in an FIR")
            datagram.append(bigEndian: request.sender.rawValue)
            datagram.append(bigEndian: UInt32(0))
            for entry in request.entries {
                datagram.append(bigEndian: entry.ssrc.rawValue)
                datagram.append(bigEndian: UInt32(entry.sequence) << 24)
            }
        case .receiverEstimatedBitrate(let estimate):
            precondition(estimate.streams.count <= 255, "too many streams in a REMB")
            datagram.append(bigEndian: estimate.sender.rawValue)
            datagram.append(bigEndian: UInt32(0))
            datagram.append(bigEndian: ReceiverEstimatedBitrate.identifier)
            datagram.append(bigEndian: UInt32(estimate.streams.count) << 24 | estimate.coded)
            for stream in estimate.streams { datagram.append(bigEndian: stream.rawValue) }
        case .transportFeedback(let feedback): feedback.write(into: &datagram)
        case .extendedReport(let report): report.write(into: &datagram)
        }
    }

    /// Appends one SDES chunk: its items, then 1 to 4 zero bytes up to a multiple of 4.
    private static func write(_ chunk: SourceDescription, into datagram: inout [UInt8]) {
        datagram.append(bigEndian: chunk.ssrc.rawValue)
        let start = datagram.count
        write(SourceDescription.Item.cname, chunk.cname, into: &datagram)
        if let mid = chunk.mid { write(SourceDescription.Item.mid, mid, into: &datagram) }
        let written = datagram.count - start
        datagram.append(contentsOf: repeatElement(0, count: 4 - written % 4))
    }

    private static func write(_ item: UInt8, _ text: String, into datagram: inout [UInt8]) {
        let bytes = Array(text.utf8)
        precondition(bytes.count <= 255, "an item of SDES has at most 255 bytes")
        datagram.append(item)
        datagram.append(UInt8(bytes.count))
        datagram.append(contentsOf: bytes)
    }
}
