/// HMAC under one key.
package protocol MACContext: AnyObject {
    /// Makes the code over `message` and then, if there is one, `trailer` as four big-endian bytes: SRTP's rollover
    /// counter, which is authenticated but never sent (RFC 3711 section 4.2).
    func code(over message: RawSpan, trailer: UInt32?) -> MACCode
}

/// A message authentication code, of 16, 20 or 32 bytes; protocols often send only its first few.
package struct MACCode: Sendable {
    /// The code's bytes; those past `count` are zero.
    package let storage: InlineArray<32, UInt8>
    package let count: Int

    package init(_ storage: InlineArray<32, UInt8>, count: Int) {
        self.storage = storage
        self.count = count
    }

    package var bytes: [UInt8] { (0..<count).map { storage[$0] } }

    /// Returns true if `received` is this code, or a prefix of it, compared in a time that depends on its length only.
    /// A prefix of less than 10 bytes proves too little and never matches.
    package func matches(_ received: RawSpan) -> Bool {
        guard (10...count).contains(received.byteCount) else { return false }
        return isEqualInConstantTime(received, storage.span.bytes.extracting(first: received.byteCount))
    }
}

/// Compares bytes in a time that does not reveal where the first difference is. The lengths are no secret.
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
