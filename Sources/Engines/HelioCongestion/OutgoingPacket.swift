package import HelioCore

/// A sealed packet on its way to the socket.
package struct OutgoingPacket: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Input, feedback and everything else that is small and must not wait (row 71).
        case control
        /// A packet that the sink reported missing.
        case retransmission
        /// A packet of access unit `frame`; `isKeyframe` is the same for all packets of one.
        case media(frame: UInt64, isKeyframe: Bool)
    }

    package var bytes: [UInt8]
    package var kind: Kind
    /// Of media, for `SendHistory`.
    package var sequence: ExtendedSequence?

    package init(bytes: [UInt8], kind: Kind, sequence: ExtendedSequence? = nil) {
        self.bytes = bytes
        self.kind = kind
        self.sequence = sequence
    }
}
