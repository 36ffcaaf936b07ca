/// Secret bytes, such as a key, a salt or a password. Their description and mirror show a placeholder, so that logs
/// can't disclose them; only `bytes` and `text` give access to the contents.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Makes random bytes. The generator has to be secure, except in tests.
    package init(count: Int, using generator: inout some RandomNumberGenerator) {
        bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package var count: Int { bytes.count }
    /// True if all bytes are visible ASCII characters, without spaces and line ends.
    package var isVisibleASCII: Bool { bytes.allSatisfy { (0x21...0x7E).contains($0) } }
    /// The secret as UTF-8 text. Don't log it.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var description: String { "<secret>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretBytes: Equatable {
    /// Compares in constant time if the lengths are equal.
    package static func == (a: SecretBytes, b: SecretBytes) -> Bool {
        isEqualInConstantTime(a.bytes.span.bytes, b.bytes.span.bytes)
    }
}
