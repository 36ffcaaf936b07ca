import HelioCore
import HelioProtection

/// The state cookie (RFC 9260 section 5.1.3): the state of a handshake, authenticated by an HMAC. The peer echoes it,
/// so that this end stores no state until the peer has shown that it receives packets at its address.
struct StateCookie: Hashable, Sendable {
    private static let size = 44
    private static let codeSize = 32

    var made: Instant
    var localTag: UInt32
    var localInitialTSN: UInt32
    var peer: PeerTerms
    /// The tags of the association that existed when the cookie was made; 0 if there was none.
    var tieLocal: UInt32
    var tiePeer: UInt32

    func serialised(_ mac: any MACContext) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size + Self.codeSize)
        bytes.append(bigEndian: UInt64(bitPattern: made.nanoseconds))
        for value in [localTag, localInitialTSN, peer.tag, peer.initialTSN, peer.window, tieLocal, tiePeer] {
            bytes.append(bigEndian: value)
        }
        bytes.append(bigEndian: peer.inboundStreams)
        bytes.append(bigEndian: peer.outboundStreams)
        bytes.append(
            bigEndian: (peer.supportsForwardTSN ? 1 : 0) | (peer.supportsReconfiguration ? 2 : 0)
                | (peer.acceptsZeroChecksum ? 4 : 0) as UInt32)
        return bytes + mac.code(over: bytes.span.bytes, trailer: nil).bytes
    }

    /// Parses a cookie; `nil` if its HMAC is wrong.
    static func parse(_ range: Range<Int>, in packet: RawSpan, _ mac: any MACContext) -> Self? {
        guard range.count == size + codeSize, range.upperBound <= packet.byteCount else { return nil }
        let bytes = packet.extracting(range)
        guard mac.code(over: bytes.extracting(0..<size), trailer: nil).matches(bytes.extracting(size..<range.count)),
            let made = bytes.uint64(at: 0), let localTag = bytes.uint32(at: 8), let localTSN = bytes.uint32(at: 12),
            let tag = bytes.uint32(at: 16), let initialTSN = bytes.uint32(at: 20), let window = bytes.uint32(at: 24),
            let tieLocal = bytes.uint32(at: 28), let tiePeer = bytes.uint32(at: 32),
            let inbound = bytes.uint16(at: 36), let outbound = bytes.uint16(at: 38), let flags = bytes.uint32(at: 40)
        else { return nil }
        return Self(
            made: Instant(nanoseconds: Int64(bitPattern: made)), localTag: localTag, localInitialTSN: localTSN,
            peer: PeerTerms(
                tag: tag, initialTSN: initialTSN, window: window, inboundStreams: inbound, outboundStreams: outbound,
                supportsForwardTSN: flags & 1 != 0, supportsReconfiguration: flags & 2 != 0,
                acceptsZeroChecksum: flags & 4 != 0),
            tieLocal: tieLocal, tiePeer: tiePeer)
    }
}
