package import HelioCore

/// The header of a FlexFEC packet's payload: the protected stream and packets, and the XOR of those packets' fixed RTP
/// headers. The header is followed by the XOR of everything after the fixed RTP headers.
///
/// This is draft-ietf-payload-flexible-fec-scheme-03 section 4.2 with its flexible mask, which SDP calls `flexfec-03`:
/// the only version that libwebrtc supports. RFC 8627, the draft's successor, identifies the protected stream in the
/// RTP header instead and has another payload type; SDP distinguishes the two, and neither can be parsed as the other.
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |R=0|F=0|P|X| CC |M| PT recovery |       length recovery         |
/// |                          TS recovery                          |
/// | SSRCCount = 1 |                 reserved (0)                  |
/// |                       protected SSRC                          |
/// |          SN base              |k|      mask   0 … 14          |
/// |k|                      mask  15 … 45                          |  if the first k is 0
/// |k|                      mask  46 … 108                         |  if the second k is 0, too
/// |                                                               |
/// ```
/// Three features of the draft are not supported, as no known sender uses them: retransmissions (R), rows and columns
/// without a mask (F), and several streams in one packet.
package struct FlexFECHeader: Sendable, Hashable {
    /// The lengths of the shortest and of the longest header, in bytes.
    package static let leastSize = 20
    package static let mostSize = 32
    /// The number of sequence numbers that the longest mask covers.
    package static let reach = 109
    /// The number of mask bits in the first part and in the first two parts, and the offset of the mask in bytes.
    private static let short = 15
    private static let middle = 46
    private static let maskOffset = 18

    package var recovery: FlexFECRecovery
    /// The stream whose packets are protected.
    package let ssrc: SSRC
    /// The sequence number of the mask's first bit.
    package let base: UInt16
    /// The distances of the protected packets from `base`, in ascending order without duplicates.
    package let places: [Int]

    /// Makes a header; `nil` if `places` is empty, not strictly ascending, or not within 0 ..< `reach`.
    package init?(_ recovery: FlexFECRecovery, of ssrc: SSRC, base: UInt16, places: [Int]) {
        guard let first = places.first, let last = places.last, first >= 0, last < Self.reach,
            zip(places, places.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.recovery = recovery
        self.ssrc = ssrc
        self.base = base
        self.places = places
    }

    /// The length in bytes.
    package var size: Int { Self.size(reaching: (places.last ?? 0) + 1) }

    /// The length in bytes of a header whose mask covers `count` packets.
    package static func size(reaching count: Int) -> Int {
        count <= short ? leastSize : count <= middle ? leastSize + 4 : mostSize
    }

    /// Reads the header at the beginning of a payload; `nil` if the payload is too short, protects nothing, or uses an
    /// unsupported feature.
    package static func parse(_ payload: RawSpan) -> Self? {
        guard let recovery = FlexFECRecovery(payload), let first = payload.uint8(at: 0), first & 0xC0 == 0,
            payload.uint8(at: 8) == 1, let ssrc = payload.uint32(at: 12), let base = payload.uint16(at: 16),
            let places = maskedPlaces(payload)
        else { return nil }
        return Self(recovery, of: SSRC(ssrc), base: base, places: places)
    }

    private static func maskedPlaces(_ payload: RawSpan) -> [Int]? {
        guard let head = payload.uint16(at: maskOffset) else { return nil }
        var places = (0..<short).filter { head >> UInt16(short - 1 - $0) & 1 == 1 }
        if head >> 15 == 1 { return places }
        guard let next = payload.uint32(at: maskOffset + 2) else { return nil }
        places += (short..<middle).filter { next >> UInt32(middle - 1 - $0) & 1 == 1 }
        if next >> 31 == 1 { return places }
        guard let rest = payload.uint64(at: maskOffset + 6), rest >> 63 == 1 else { return nil }
        return places + (middle..<reach).filter { rest >> UInt64(reach - 1 - $0) & 1 == 1 }
    }

    package func write(into payload: inout [UInt8]) {
        recovery.write(into: &payload)
        payload.append(bigEndian: UInt32(1) << 24)
        payload.append(bigEndian: ssrc.rawValue)
        payload.append(bigEndian: base)
        let size = size
        var head: UInt16 = size == Self.leastSize ? 1 << 15 : 0
        var next: UInt32 = size == Self.mostSize ? 0 : 1 << 31
        var rest: UInt64 = 1 << 63
        for place in places {
            if place < Self.short {
                head |= 1 << UInt16(Self.short - 1 - place)
            } else if place < Self.middle {
                next |= 1 << UInt32(Self.middle - 1 - place)
            } else {
                rest |= 1 << UInt64(Self.reach - 1 - place)
            }
        }
        payload.append(bigEndian: head)
        if size > Self.leastSize { payload.append(bigEndian: next) }
        if size == Self.mostSize { payload.append(bigEndian: rest) }
    }
}
