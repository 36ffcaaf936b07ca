private import HelioCore

/// A message that a connection carries in one direction.
package protocol PhoneMessage: Sendable, Hashable {
    /// The longest body of a kind, in bytes; `nil` for an unknown kind.
    static func limit(of kind: UInt8) -> Int?
    init(kind: UInt8, body: [UInt8]) throws(PhoneWireError)
    var serialised: [UInt8] { get }
}

/// Splits a connection's bytes into messages, regardless of how they were split in transit.
///
/// Append the received bytes, then call ``next()`` until it returns `nil`. An invalid greeting, kind or length is
/// detected as soon as its bytes arrive, so that an invalid length causes no buffering. The first error is final.
package struct PhoneReader<Message: PhoneMessage>: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    /// The channel whose greeting has to come first; `nil` after it.
    private var greeting: PhoneChannel?
    private var failure: PhoneWireError?

    /// - Parameter greeting: the channel that the phone has to confirm first; `nil` if no greeting is expected.
    package init(after greeting: PhoneChannel?) { self.greeting = greeting }

    /// The number of buffered bytes of an incomplete message.
    package var bufferedByteCount: Int { buffer.count - start }
    /// True once the phone has confirmed the channel.
    package var isGreeted: Bool { greeting == nil }

    /// Appends bytes of the stream, in order. After an error they are ignored.
    package mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
        } else if start > 0 {
            buffer.removeFirst(start)
        }
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message, or `nil` until more bytes arrive. After an error every further call throws it again.
    package mutating func next() throws(PhoneWireError) -> Message? {
        if let failure { throw failure }
        do throws(PhoneWireError) {
            return try take()
        } catch {
            failure = error
            buffer = []
            start = 0
            throw error
        }
    }

    private mutating func take() throws(PhoneWireError) -> Message? {
        if let channel = greeting {
            guard bufferedByteCount >= PhoneWire.answerSize else { return nil }
            let answer = buffer[start..<start + PhoneWire.answerSize]
            guard answer.starts(with: PhoneWire.magic) else { throw .wrongMagic }
            guard answer[start + 4] == PhoneWire.version else { throw .wrongVersion }
            guard answer[start + 5] == channel.rawValue else { throw .badValue }
            start += PhoneWire.answerSize
            greeting = nil
        }
        guard bufferedByteCount >= PhoneWire.headerSize else { return nil }
        let kind = buffer[start]
        guard let limit = Message.limit(of: kind) else { throw .unknownKind }
        let length = Int(buffer.span.bytes.uint32(at: start + 1) ?? 0)
        guard length <= limit else { throw .tooLong }
        guard let body = buffer.span.bytes.bytes(at: start + PhoneWire.headerSize, count: length) else { return nil }
        start += PhoneWire.headerSize + length
        return try Message(kind: kind, body: body)
    }
}
