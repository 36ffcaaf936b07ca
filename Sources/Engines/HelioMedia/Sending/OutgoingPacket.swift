package import HelioCore

/// A packet's entry in the pacer's queue; the packet itself is made when it leaves.
package struct OutgoingPacket: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Input, feedback and other small data that must not wait (row 71).
        case control
        /// A retransmission of a packet that the sink reported missing.
        case retransmission
        /// A packet of access unit `frame`; the other values are the same for all its packets. A repair picture can
        /// follow any frame from `repairsSince` on.
        case media(frame: UInt64, isKeyframe: Bool, repairsSince: UInt64? = nil)
        /// Parity of access unit `frame`, behind all of its packets.
        case parity(frame: UInt64, isKeyframe: Bool)
    }

    /// The packet's size on the path in bytes.
    package let size: Int
    package let kind: Kind
    /// Identifies the packet: for a retransmission its sequence number, otherwise its position among the waiting
    /// packets.
    package let ticket: ExtendedSequence

    /// The access unit that it belongs to, or whose parity it is.
    var frame: UInt64? {
        switch kind {
        case .media(let frame, _, _), .parity(let frame, _): frame
        case .control, .retransmission: nil
        }
    }

    package init(size: Int, kind: Kind, ticket: ExtendedSequence) {
        self.size = size
        self.kind = kind
        self.ticket = ticket
    }

    /// True for a packet of a keyframe or of a repair picture, or of a keyframe's parity.
    var isOfEntry: Bool {
        switch kind {
        case .media(_, let isKeyframe, let since): isKeyframe || since != nil
        case .parity(_, let isKeyframe): isKeyframe
        case .control, .retransmission: false
        }
    }
}
