import HelioCore

extension RTCPPacket {
    /// Reads a whole datagram: a compound packet, or a reduced-size one (RFC 5506). Packets of unknown types are
    /// skipped.
    ///
    /// Returns `nil` if the lengths do not fill the datagram exactly, or a packet of a known type is malformed.
    package static func parseCompound(_ datagram: RawSpan) -> [RTCPPacket]? {
        var packets: [RTCPPacket] = []
        var offset = 0
        var seen = 0
        repeat {
            guard
                let first = datagram.uint8(at: offset), first >> 6 == 2, let type = datagram.uint8(at: offset + 1),
                let words = datagram.uint16(at: offset + 2), seen < maximumPackets
            else { return nil }
            seen += 1
            let start = offset + 4
            offset = start + Int(words) * 4
            guard offset <= datagram.byteCount else { return nil }
            var end = offset
            if first & 0x20 != 0 {
                // Only the last packet may be padded, by whole words (RFC 3550 section 6.4.1); but browsers also use
                // padding to fill the last word of transport-wide feedback.
                let isWhole = type != Kind.transportFeedback.rawValue || first & 0x1F != Format.transportWide
                guard
                    offset == datagram.byteCount, let padding = datagram.uint8(at: end - 1), padding > 0,
                    !isWhole || padding % 4 == 0, Int(padding) <= end - start
                else { return nil }
                end -= Int(padding)
            }
            guard let kind = Kind(rawValue: type) else { continue }
            switch parse(kind, count: first & 0x1F, body: datagram.extracting(start..<end)) {
            case .packet(let packet): packets.append(packet)
            case .unknown: break
            case .malformed: return nil
            }
        } while offset < datagram.byteCount
        return packets
    }

    private enum Parsed {
        case packet(RTCPPacket)
        case unknown
        case malformed

        init(_ packet: RTCPPacket?) {
            self = packet.map { .packet($0) } ?? .malformed
        }
    }

    /// Reads a packet's body, without header and padding. `count` is the header's 5-bit field: a count, subtype or
    /// format.
    private static func parse(_ kind: Kind, count: UInt8, body: RawSpan) -> Parsed {
        switch (kind, count) {
        case (.senderReport, _): Parsed(parseSenderReport(body, count: Int(count)))
        case (.receiverReport, _): Parsed(parseReceiverReport(body, count: Int(count)))
        case (.sourceDescription, _): Parsed(parseSourceDescription(body, count: Int(count)))
        case (.goodbye, _): Parsed(parseGoodbye(body, count: Int(count)))
        case (.applicationDefined, _): Parsed(parseApplicationDefined(body, subtype: count))
        case (.transportFeedback, Format.genericNACK): Parsed(parseGenericNACK(body))
        case (.transportFeedback, Format.transportWide):
            Parsed(TransportFeedback.parse(body).map { .transportFeedback($0) })
        case (.payloadFeedback, Format.pictureLoss): Parsed(parsePictureLoss(body))
        case (.payloadFeedback, Format.referenceSelection): parseReferenceSelection(body)
        case (.payloadFeedback, Format.fullIntraRequest): Parsed(parseFullIntraRequest(body))
        case (.payloadFeedback, Format.applicationLayer):
            body.uint32(at: 8) == ReceiverEstimatedBitrate.identifier ? Parsed(parseEstimatedBitrate(body)) : .unknown
        case (.extendedReport, _): Parsed(ExtendedReport.parse(body).map { .extendedReport($0) })
        default: .unknown
        }
    }

    private static func parseReports(_ body: RawSpan, at offset: Int, count: Int) -> [ReportBlock]? {
        var reports: [ReportBlock] = []
        for i in 0..<count {
            guard let report = ReportBlock.parse(body, at: offset + i * ReportBlock.size) else { return nil }
            reports.append(report)
        }
        return reports
    }

    private static func parseSenderReport(_ body: RawSpan, count: Int) -> RTCPPacket? {
        guard
            let ssrc = body.uint32(at: 0), let ntpTime = body.uint64(at: 4), let timestamp = body.uint32(at: 12),
            let packets = body.uint32(at: 16), let octets = body.uint32(at: 20),
            let reports = parseReports(body, at: 24, count: count)
        else { return nil }
        return .senderReport(
            SenderReport(
                ssrc: SSRC(ssrc), ntpTime: ntpTime, rtpTimestamp: timestamp, packetCount: packets,
                octetCount: octets, reports: reports))
    }

    private static func parseReceiverReport(_ body: RawSpan, count: Int) -> RTCPPacket? {
        guard let ssrc = body.uint32(at: 0), let reports = parseReports(body, at: 4, count: count)
        else { return nil }
        return .receiverReport(ReceiverReport(ssrc: SSRC(ssrc), reports: reports))
    }

    private static func parseSourceDescription(_ body: RawSpan, count: Int) -> RTCPPacket? {
        var chunks: [SourceDescription] = []
        var offset = 0
        for _ in 0..<count {
            guard let ssrc = body.uint32(at: offset) else { return nil }
            var chunk = SourceDescription(ssrc: SSRC(ssrc), cname: "")
            offset += 4
            while true {
                guard let item = body.uint8(at: offset) else { return nil }
                offset += 1
                if item == SourceDescription.Item.end { break }
                guard let length = body.uint8(at: offset), let text = body.bytes(at: offset + 1, count: Int(length))
                else { return nil }
                offset += 1 + Int(length)
                switch item {
                case SourceDescription.Item.cname:
                    guard let name = String(validating: text, as: UTF8.self) else { return nil }
                    chunk.cname = name
                case SourceDescription.Item.mid:
                    guard let mid = String(validating: text, as: UTF8.self) else { return nil }
                    chunk.mid = mid
                default: break
                }
            }
            offset = (offset + 3) / 4 * 4
            chunks.append(chunk)
        }
        return .sourceDescription(chunks)
    }

    private static func parseGoodbye(_ body: RawSpan, count: Int) -> RTCPPacket? {
        parseSources(body, at: 0, count: count).map { .goodbye($0) }
    }

    private static func parseApplicationDefined(_ body: RawSpan, subtype: UInt8) -> RTCPPacket? {
        guard let sender = body.uint32(at: 0), let name = body.uint32(at: 4), body.byteCount.isMultiple(of: 4),
            let data = body.bytes(at: 8, count: body.byteCount - 8)
        else { return nil }
        return .applicationDefined(.init(sender: SSRC(sender), subtype: subtype, name: name, data: data))
    }

    private static func parseSources(_ body: RawSpan, at offset: Int, count: Int) -> [SSRC]? {
        var sources: [SSRC] = []
        for i in 0..<count {
            guard let ssrc = body.uint32(at: offset + i * 4) else { return nil }
            sources.append(SSRC(ssrc))
        }
        return sources
    }

    private static func parseGenericNACK(_ body: RawSpan) -> RTCPPacket? {
        guard let sender = body.uint32(at: 0), let media = body.uint32(at: 4) else { return nil }
        let count = (body.byteCount - 8) / 4
        guard (1...GenericNACK.maximumEntries).contains(count) else { return nil }
        var nack = GenericNACK(sender: SSRC(sender), media: SSRC(media), entries: [])
        for i in 0..<count {
            guard let id = body.uint16(at: 8 + i * 4), let following = body.uint16(at: 10 + i * 4)
            else { return nil }
            nack.entries.append(GenericNACK.Entry(packetID: id, following: following))
        }
        return .genericNACK(nack)
    }

    private static func parsePictureLoss(_ body: RawSpan) -> RTCPPacket? {
        guard let sender = body.uint32(at: 0), let media = body.uint32(at: 4) else { return nil }
        return .pictureLoss(PictureLossIndication(sender: SSRC(sender), media: SSRC(media)))
    }

    private static func parseReferenceSelection(_ body: RawSpan) -> Parsed {
        guard let sender = body.uint32(at: 0), let media = body.uint32(at: 4), let padding = body.uint8(at: 8),
            let type = body.uint8(at: 9), padding < 32, body.byteCount.isMultiple(of: 4)
        else { return .malformed }
        let count = body.byteCount - 10 - Int(padding) / 8
        guard (1...ReferencePictureSelection.maximumBytes).contains(count),
            let picture = body.bytes(at: 10, count: count)
        else { return .malformed }
        // No supported codec uses a bit string that ends within a byte.
        guard padding % 8 == 0 else { return .unknown }
        return .packet(
            .referenceSelection(
                ReferencePictureSelection(
                    sender: SSRC(sender), media: SSRC(media), payloadType: PayloadType(type), picture: picture)))
    }

    private static func parseFullIntraRequest(_ body: RawSpan) -> RTCPPacket? {
        guard let sender = body.uint32(at: 0) else { return nil }
        let count = (body.byteCount - 8) / 8
        guard (1...FullIntraRequest.maximumEntries).contains(count) else { return nil }
        var request = FullIntraRequest(sender: SSRC(sender), entries: [])
        for i in 0..<count {
            guard let ssrc = body.uint32(at: 8 + i * 8), let sequence = body.uint8(at: 12 + i * 8)
            else { return nil }
            request.entries.append(FullIntraRequest.Entry(ssrc: SSRC(ssrc), sequence: sequence))
        }
        return .fullIntraRequest(request)
    }

    private static func parseEstimatedBitrate(_ body: RawSpan) -> RTCPPacket? {
        guard
            let sender = body.uint32(at: 0), let count = body.uint8(at: 12), let coded = body.uint24(at: 13),
            let bitrate = ReceiverEstimatedBitrate.decode(coded),
            let streams = parseSources(body, at: 16, count: Int(count))
        else { return nil }
        return .receiverEstimatedBitrate(
            ReceiverEstimatedBitrate(sender: SSRC(sender), bitrate: bitrate, streams: streams))
    }
}
