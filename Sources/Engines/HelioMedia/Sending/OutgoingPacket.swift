package import HelioCore

/// A packet on its way to the socket, encrypted, or a ticket for one.
package struct OutgoingPacket: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Input, feedback and everything else that is small and must not wait (row 71).
        case control
        /// A retransmission of a packet that the sink reported missing.
        case retransmission
        /// A packet of access unit `frame`; `isKeyframe` is the same for all packets of one.
        case media(frame: UInt64, isKeyframe: Bool)
    }

    /// The packet; empty where it is only made when it leaves.
    package var bytes: [UInt8]
    /// The bytes that it takes on the path.
    package let size: Int
    package var kind: Kind
    /// The sequence number of media, for `SendHistory`; or the ticket of a packet that is not made yet.
    package var sequence: ExtendedSequence?

    package init(bytes: [UInt8], kind: Kind, sequence: ExtendedSequence? = nil) {
        self.bytes = bytes
        size = bytes.count
        self.kind = kind
        self.sequence = sequence
    }

    /// Makes a place in the queue for a packet that is made when it leaves; `ticket` says which.
    package init(size: Int, kind: Kind, ticket: ExtendedSequence) {
        bytes = []
        self.size = size
        self.kind = kind
        sequence = ticket
    }
}
