import COpenSSL

/// A random number generator for secrets such as keys, nonces and tokens: OpenSSL's generator, seeded by the system.
package struct SecureGenerator: RandomNumberGenerator, Sendable {
    package init() {}

    package mutating func next() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { Self.fill($0) }
        return value
    }

    package mutating func bytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { Self.fill($0) }
        return bytes
    }

    /// Fills the buffer. Ends the program if the generator fails, as no operation would be secure without it.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        if buffer.isEmpty { return }
        guard let count = Int32(exactly: buffer.count) else { preconditionFailure("2 GiB of secrets") }
        let status = RAND_bytes(buffer.bindMemory(to: UInt8.self).baseAddress, count)
        precondition(status == 1, "the system's random generator failed")
    }
}
