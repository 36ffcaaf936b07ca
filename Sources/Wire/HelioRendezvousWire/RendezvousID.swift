import HelioCore

/// The name of a device at the rendezvous: the first 16 bytes of the SHA-256 of its public key.
///
/// The text form is 26 letters and digits of Crockford's base 32, in lower case.
package struct RendezvousID: Hashable, Sendable, CustomStringConvertible {
    package static let length = 16
    private static let letters = 26

    package let bytes: [UInt8]

    /// Makes a name; `nil` unless `bytes` has 16 elements.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Parses the text form, in upper or lower case. Returns `nil` unless it is 26 characters of base 32 for 16 bytes.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.letters, let bytes = Base32.decode(text) else { return nil }
        self.init(bytes)
    }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        self.bytes = try bytes.take(Self.length, &offset)
    }

    package var text: String { Base32.encode(bytes).lowercased() }
    package var description: String { text }
}
