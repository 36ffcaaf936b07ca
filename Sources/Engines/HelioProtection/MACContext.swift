/// An HMAC with one key.
package protocol MACContext: AnyObject {
    /// Computes the HMAC of `message`, followed by `trailer` as 4 big-endian bytes if it is not `nil`: SRTP's rollover
    /// counter, which is authenticated but not sent (RFC 3711 section 4.2).
    func code(over message: RawSpan, trailer: UInt32?) -> MACCode
}

/// A message authentication code of 16, 20 or 32 bytes. Some protocols send only its first bytes.
package struct MACCode: Sendable {
    /// The bytes of the code, followed by zeros after the first `count`.
    package let storage: InlineArray<32, UInt8>
    package let count: Int

    package init(_ storage: InlineArray<32, UInt8>, count: Int) {
        self.storage = storage
        self.count = count
    }

    package var bytes: [UInt8] { (0..<count).map { storage[$0] } }

    /// Returns true if `received` is this code or a prefix of at least 10 bytes of it. The comparison takes constant
    /// time for a given length.
    package func matches(_ received: RawSpan) -> Bool {
        guard (10...count).contains(received.byteCount) else { return false }
        return isEqualInConstantTime(received, storage.span.bytes.extracting(first: received.byteCount))
    }
}

/// Compares bytes in constant time for a given length, so that the time does not reveal the position of a difference.
@inline(never)
package func isEqualInConstantTime(_ a: borrowing RawSpan, _ b: borrowing RawSpan) -> Bool {
    guard a.byteCount == b.byteCount else { return false }
    var difference: UInt8 = 0
    for offset in 0..<a.byteCount {
        let left = a.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        let right = b.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        difference |= left ^ right
    }
    return difference == 0
}
