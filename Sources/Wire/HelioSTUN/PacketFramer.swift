import HelioCore

/// Framing of packets in a stream (RFC 4571), which ICE uses on its TCP connections (RFC 6544 section 3):
///
///     0                   1                   2                   3
///     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///    +-------------------------------+-------------------------------+
///    |            length             |  packet of `length` bytes ... |
///    +-------------------------------+-------------------------------+
package struct PacketFramer: Sendable {
    /// An error: a packet exceeds the limit, so the rest of the stream can't be parsed.
    package struct Oversized: Error, Hashable, Sendable {}

    package static let headerSize = 2

    private let maximumSize: Int
    private var waiting: [UInt8] = []
    private var start = 0

    /// - Parameter maximumSize: the maximum size of a packet in bytes, at most 65535.
    package init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// The number of buffered bytes; after `next` has returned `nil`, less than a header and a packet of the maximum
    /// size.
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
