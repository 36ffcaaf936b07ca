internal import HelioCore

/// The name of one instance of the server among those that a bus joins: 16 bytes, random at each start.
package struct InstanceID: Hashable, Sendable, Comparable {
    package static let length = 16

    package let bytes: [UInt8]

    /// Makes a name; `nil` unless `bytes` has 16 elements.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    /// The subject on the bus to which this instance listens, besides `BusSubject.everyone`.
    package var subject: String { "instance.\(Hexadecimal.text(bytes))" }
}
