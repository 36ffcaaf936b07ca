import HelioCore

/// The SHA-256 of a file, or of its beginning.
package struct FileDigest: Hashable, Sendable {
    package static let size = 32

    package let bytes: [UInt8]

    /// - Precondition: 32 bytes.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.size, "a SHA-256 has 32 bytes")
        self.bytes = bytes
    }

    init(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) {
        self.bytes = try bytes.take(Self.size, &offset)
    }
}
