/// Bytes that must not be disclosed: a key, a salt or a shared secret. Logs, interpolations and debuggers' mirrors show
/// a placeholder; `bytes` and `text` are the only ways to the contents.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Draws random bytes from `generator`, which must be the driver's secure one except in tests.
    package init(count: Int, using generator: inout some RandomNumberGenerator) {
        bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package var count: Int { bytes.count }
    /// True if all bytes are visible ASCII: no spaces, no line ends.
    package var isVisibleASCII: Bool { bytes.allSatisfy { (0x21...0x7E).contains($0) } }
    /// The secret as text, for the party that it is meant for.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
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
