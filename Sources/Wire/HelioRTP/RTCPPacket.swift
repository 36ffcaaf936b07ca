package import HelioCore

/// One packet of RTCP (RFC 3550 section 6, RFC 3611, RFC 4585, RFC 5104), of the kinds that Heliograph supports.
///
/// ```
/// |V=2|P| count or format (5) | packet type (8) | length in words of 4 bytes, minus 1 (16) |
/// ```
package enum RTCPPacket: Sendable, Hashable {
    case senderReport(SenderReport)
    case receiverReport(ReceiverReport)
    case sourceDescription([SourceDescription])
    /// The streams that end (RFC 3550 section 6.6); the reason is ignored.
    case goodbye([SSRC])
    case applicationDefined(ApplicationDefined)
    case genericNACK(GenericNACK)
    case pictureLoss(PictureLossIndication)
    case referenceSelection(ReferencePictureSelection)
    case fullIntraRequest(FullIntraRequest)
    case receiverEstimatedBitrate(ReceiverEstimatedBitrate)
    case transportFeedback(TransportFeedback)
    case extendedReport(ExtendedReport)

    /// Returns true for RTCP and false for RTP, which share a port (RFC 5761 section 4).
    package static func isRTCP(_ datagram: RawSpan) -> Bool {
        datagram.uint8(at: 1).map { (192...223).contains($0) } ?? false
    }

    /// The maximum number of packets in one datagram; a longer compound is refused.
    static let maximumPackets = 64
    /// The largest value of the header's 5-bit count field.
    static let maximumCount = 31

    /// The packet type of the header.
    enum Kind: UInt8 {
        case senderReport = 200
        case receiverReport = 201
        case sourceDescription = 202
        case goodbye = 203
        case applicationDefined = 204
        case transportFeedback = 205
        case payloadFeedback = 206
        case extendedReport = 207
    }

    /// The format of a feedback packet, which takes the place of the count in the header (RFC 4585 section 6.1).
    enum Format {
        static let genericNACK: UInt8 = 1
        static let pictureLoss: UInt8 = 1
        static let referenceSelection: UInt8 = 3
        static let fullIntraRequest: UInt8 = 4
        static let applicationLayer: UInt8 = 15
        static let transportWide: UInt8 = 15
    }
}
