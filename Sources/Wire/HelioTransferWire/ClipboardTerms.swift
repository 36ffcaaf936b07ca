import HelioCore

/// The clipboard terms of one end of the transfer channel: the directions and the size of content that it allows. An
/// end sends its terms at the start and after each change; only the newest terms count. Nothing is transferred before
/// both ends have sent their terms.
///
/// ```
///  0      1       2                 6
///  +------+-------+-----------------+
///  |  1   | flags | most bytes u32  |
///  +------+-------+-----------------+
/// ```
/// `flags`: 1 may send, 2 may receive.
package struct ClipboardTerms: Hashable, Sendable {
    /// True if this end offers and sends content that is copied on its machine.
    package var maySend: Bool
    /// True if this end accepts the peer's offers.
    package var mayReceive: Bool
    /// The maximum size of content in bytes, in either direction; the smaller of both ends' limits applies.
    package var mostBytes: UInt32

    /// Terms that allow no transfer in either direction.
    package static let nothing = ClipboardTerms(maySend: false, mayReceive: false, mostBytes: 0)

    package init(maySend: Bool, mayReceive: Bool, mostBytes: UInt32) {
        self.maySend = maySend
        self.mayReceive = mayReceive
        self.mostBytes = mostBytes
    }

    init(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) {
        let flags = try bytes.take8(&offset)
        guard flags <= 3 else { throw .badValue }
        maySend = flags & 1 != 0
        mayReceive = flags & 2 != 0
        mostBytes = try bytes.take32(&offset)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append((maySend ? 1 : 0) | (mayReceive ? 2 : 0))
        bytes.append(littleEndian: mostBytes)
    }
}
