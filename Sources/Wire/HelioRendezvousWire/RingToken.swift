/// The proof of a ringer that a host permits it to ring: 16 bytes that are derived from their common secret. Whoever
/// has it can ring, so descriptions don't show it.
package struct RingToken: Hashable, Sendable, CustomStringConvertible {
    package static let length = 16

    package let bytes: [UInt8]

    /// Makes a token; `nil` unless `bytes` has 16 elements.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        self.bytes = try bytes.take(Self.length, &offset)
    }

    package var description: String { "<token>" }
}
