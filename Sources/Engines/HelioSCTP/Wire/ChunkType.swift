/// The type of a chunk. The two highest bits define the treatment of an unknown chunk (RFC 9260 section 3.2).
package struct ChunkType: Sendable, Hashable {
    package var value: UInt8

    package init(_ value: UInt8) { self.value = value }

    package static let data = Self(0)
    package static let initiation = Self(1)
    package static let initiationAck = Self(2)
    package static let sack = Self(3)
    package static let heartbeat = Self(4)
    package static let heartbeatAck = Self(5)
    package static let abort = Self(6)
    package static let shutdown = Self(7)
    package static let shutdownAck = Self(8)
    package static let error = Self(9)
    package static let cookieEcho = Self(10)
    package static let cookieAck = Self(11)
    package static let shutdownComplete = Self(14)
    /// RE-CONFIG (RFC 6525).
    package static let reconfiguration = Self(130)
    /// FORWARD-TSN (RFC 3758).
    package static let forwardTSN = Self(192)

    /// True if an unknown chunk is skipped; false if the rest of the packet has to be dropped too.
    package var isSkippedWhenUnknown: Bool { value & 0x80 != 0 }
    package var isReportedWhenUnknown: Bool { value & 0x40 != 0 }
}
