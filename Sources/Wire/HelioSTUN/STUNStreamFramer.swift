import HelioCore

/// Splits a TCP stream between a TURN client and its server into STUN messages and channel data, which contain their
/// own lengths (RFC 8489 section 6.2.2, RFC 8656 section 12.5).
package struct STUNStreamFramer: Sendable {
    /// An error: the stream is not STUN, or its framing is lost, so the rest can't be parsed.
    package struct Desynchronised: Error, Hashable, Sendable {}

    private var waiting: [UInt8] = []
    private var start = 0

    package init() {}

    /// The number of buffered bytes. At most those of one message, if `next` is called until it returns `nil` after
    /// each `append`.
    package var pendingCount: Int { waiting.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        waiting.removeFirst(start)
        start = 0
        waiting += bytes
    }

    /// The next whole message, or channel data with its padding; `nil` until more bytes arrive.
    package mutating func next() throws(Desynchronised) -> [UInt8]? {
        let waiting = waiting
        let bytes = waiting.span.bytes.extracting(start..<waiting.count)
        guard let first = bytes.uint16(at: 0) else { return nil }
        let size: Int
        switch first {
        case ..<0x4000:
            if let cookie = bytes.uint32(at: 4), cookie != STUNMessage.magicCookie { throw Desynchronised() }
            guard let length = bytes.uint16(at: 2) else { return nil }
            size = STUNMessage.headerSize + Int(length)
        case ChannelData.channels:
            guard let length = bytes.uint16(at: 2) else { return nil }
            size = ChannelData.headerSize + (Int(length) + 3) / 4 * 4
        default: throw Desynchronised()
        }
        guard let message = bytes.bytes(at: 0, count: size) else { return nil }
        start += size
        return message
    }
}
