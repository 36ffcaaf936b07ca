/// The public name of a token: the first 16 bytes of its SHA-256. A host publishes tags at the rendezvous, from which
/// nobody can calculate the tokens.
package struct RingTag: Hashable, Sendable {
    package static let length = 16

    package let bytes: [UInt8]

    /// Makes a tag; `nil` unless `bytes` has 16 elements.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        self.bytes = try bytes.take(Self.length, &offset)
    }
}
