import HelioCore

/// Splits a connection's bytes into relay messages, regardless of how they were split in transit (requirement row 137).
///
/// Append the received bytes, then call ``next()`` until it returns `nil`. An invalid prefix, length or kind is
/// detected as soon as its bytes arrive, so that an invalid length causes no buffering. The first error is final.
package struct RelayReader: Sendable {
    private let sender: RelaySide
    private let limits: RelayLimits
    private var buffer: [UInt8] = []
    /// The offset of the first byte that is not part of a returned message.
    private var start = 0
    private var failure: RelayWireError?

    /// - Parameter sender: the side whose messages are read; message kinds reserved for the other side are errors.
    package init(from sender: RelaySide, limits: RelayLimits = RelayLimits()) {
        self.sender = sender
        self.limits = limits
    }

    /// The number of buffered bytes of an incomplete message: at most a header and the longest payload after ``next()``
    /// has returned `nil`.
    package var bufferedByteCount: Int { buffer.count - start }

    /// Appends bytes of the stream, in order. After an error they are ignored.
    package mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
        } else if start > 0 {
            buffer.removeFirst(start)
        }
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message, or `nil` until more bytes arrive. After an error every further call throws it again.
    package mutating func next() throws(RelayWireError) -> RelayMessage? {
        if let failure { throw failure }
        do throws(RelayWireError) {
            return try take()
        } catch {
            failure = error
            buffer = []
            start = 0
            throw error
        }
    }

    /// The capacity in bytes above which an empty buffer is released.
    private static let keptCapacity = 256 << 10

    private mutating func take() throws(RelayWireError) -> RelayMessage? {
        let (message, end) = try Self.message(in: buffer.span.bytes, from: start, sender, limits)
        start = end
        return message
    }

    /// The message at `start`, or `nil` while it is incomplete, with the offset after it.
    private static func message(
        in bytes: RawSpan, from start: Int, _ sender: RelaySide, _ limits: RelayLimits
    ) throws(RelayWireError) -> (RelayMessage?, end: Int) {
        guard let prefix = bytes.uint8(at: start) else { return (nil, start) }
        guard prefix == RelayMessage.prefix else { throw .wrongPrefix }
        guard let length = bytes.uint32(at: start + 1) else { return (nil, start) }
        guard length > 0, Int(length) <= max(64, limits.nalUnit, limits.sound) else { throw .wrongLength }
        let payload = start + RelayMessage.headerSize
        guard let code = bytes.uint8(at: payload) else { return (nil, start) }
        guard let kind = RelayKind(rawValue: code), kind.isFrom(sender) else { throw .unexpectedKind }
        guard kind.lengths(limits).contains(Int(length)) else { throw .wrongLength }
        let end = payload + Int(length)
        guard end <= bytes.byteCount else { return (nil, start) }
        return (try RelayMessage(kind, bytes.extracting(payload..<end)), end)
    }
}
