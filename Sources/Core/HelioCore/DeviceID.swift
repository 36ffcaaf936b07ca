/// The identifier of a pairing, known only to its two ends: 128 random bits drawn by the host.
package struct DeviceID: Hashable, Sendable {
    package static let length = 16

    package let bytes: [UInt8]

    /// Makes an identifier of 16 bytes; `nil` for any other number.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
