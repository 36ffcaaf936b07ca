import HelioCore

/// The protocol of a datagram on a port that several protocols share: determined by the first byte (RFC 7983 section
/// 7), and for RTP and RTCP by the second (RFC 5761 section 4).
///
/// ```
///   0 ...   3   STUN          16 ...  19   ZRTP
///  20 ...  63   DTLS          64 ...  79   TURN channel data
/// 128 ... 191   RTP, and RTCP if the second byte is 192 ... 223
/// 192 ... 255   unassigned by RFC 7983; used here for plain datagrams, whose content is of no concern to WebRTC
/// ```
package enum DatagramKind: Hashable, Sendable {
    case stun
    case zrtp
    case dtls
    case channelData
    case rtp
    case rtcp
    case plain
    case unknown

    package init(_ datagram: RawSpan) {
        guard let first = datagram.uint8(at: 0) else {
            self = .unknown
            return
        }
        switch first {
        case 0...3: self = .stun
        case 16...19: self = .zrtp
        case 20...63: self = .dtls
        case 64...79: self = .channelData
        case 128...191:
            self = if let second = datagram.uint8(at: 1), (192...223).contains(second) { .rtcp } else { .rtp }
        case 192...255: self = .plain
        default: self = .unknown
        }
    }
}
