/// The number of a call on one connection. A ringer chooses it on its own connection, the server on the host's; the two
/// numbers of a call have nothing to do with each other. The server's have the highest bit set and the ringer's have
/// not, so that a device may ring and be rung on one connection.
package struct CallNumber: Hashable, Sendable {
    /// The highest bit, which numbers that the server has chosen have.
    package static let serversBit: UInt32 = 1 << 31

    package let value: UInt32
    /// True if the server has chosen the number, false if the ringer has.
    package var isServers: Bool { value & Self.serversBit != 0 }

    package init(_ value: UInt32) { self.value = value }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        value = try bytes.take32(&offset)
    }
}
