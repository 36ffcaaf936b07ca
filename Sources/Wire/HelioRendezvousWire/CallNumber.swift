/// The number of a call on one connection. A ringer chooses it on its own connection, the server on the host's; the two
/// numbers of a call have nothing to do with each other.
package struct CallNumber: Hashable, Sendable {
    package let value: UInt32

    package init(_ value: UInt32) { self.value = value }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        value = try bytes.take32(&offset)
    }
}
