import HelioCore

/// Framing of packets in a stream (RFC 4571), which ICE uses on its TCP connections (RFC 6544 section 3):
///
///     0                   1                   2                   3
///     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///    +-------------------------------+-------------------------------+
///    |            length             |  packet of so many bytes ...  |
///    +-------------------------------+-------------------------------+
package struct PacketFramer: Sendable {
    /// An error of framing: a packet exceeds the limit, so that nothing after it can be trusted.
    package struct Oversized: Error, Hashable, Sendable {}

    package static let headerSize = 2

    private let maximumSize: Int
    private var waiting: [UInt8] = []
    private var start = 0

    /// - Parameter maximumSize: the most bytes of a packet, at most 65535.
    package init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// The number of bytes that are not yet part of a whole packet; once drained, less than the header and the largest
    /// packet.
    package var pendingCount: Int { waiting.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        waiting.removeFirst(start)
        start = 0
        waiting += bytes
    }

    /// The next whole packet; `nil` until more bytes arrive. Empty packets, which have no meaning, are skipped.
    package mutating func next() throws(Oversized) -> [UInt8]? {
        while let size = waiting.span.bytes.uint16(at: start).map({ Int($0) }) {
            guard size <= maximumSize else { throw Oversized() }
            guard let packet = waiting.span.bytes.bytes(at: start + Self.headerSize, count: size) else { return nil }
            start += Self.headerSize + size
            if !packet.isEmpty { return packet }
        }
        return nil
    }
}
