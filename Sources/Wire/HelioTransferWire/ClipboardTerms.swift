import HelioCore

/// What one end of the transfer channel gives of its clipboard, and takes of the other's. Sent at the start and at each
/// change; the newest counts. Nothing goes before both ends have told theirs.
///
/// ```
///  0      1       2                 6
///  +------+-------+-----------------+
///  |  1   | flags | most bytes u32  |
///  +------+-------+-----------------+
/// ```
/// `flags`: 1 may send, 2 may receive.
package struct ClipboardTerms: Hashable, Sendable {
    /// True where this end offers what is copied here, and gives it.
    package var maySend: Bool
    /// True where this end takes offers of the other.
    package var mayReceive: Bool
    /// The most bytes of one content, either way; the smaller number of both ends counts.
    package var mostBytes: UInt32

    /// Nothing goes either way.
    package static let nothing = ClipboardTerms(maySend: false, mayReceive: false, mostBytes: 0)

    package init(maySend: Bool, mayReceive: Bool, mostBytes: UInt32) {
        self.maySend = maySend
        self.mayReceive = mayReceive
        self.mostBytes = mostBytes
    }

    init(_ bytes: RawSpan, _ offset: inout Int) throws(TransferWireError) {
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
