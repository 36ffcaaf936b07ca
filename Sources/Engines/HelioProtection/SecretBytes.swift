/// Bytes that must not be seen: a key, a salt or a shared secret. Logs, interpolations and debuggers'
/// mirrors show a placeholder; `bytes` is the one way to the contents.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Draws fresh bytes from `generator`, which must be the driver's secure one anywhere but in a test.
    package init(count: Int, using generator: inout some RandomNumberGenerator) {
        bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package var count: Int { bytes.count }
    package var description: String { "<secret>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretBytes: Equatable {
    /// Compares in constant time for secrets of one length.
    package static func == (a: SecretBytes, b: SecretBytes) -> Bool {
        isEqualInConstantTime(a.bytes.span.bytes, b.bytes.span.bytes)
    }
}
