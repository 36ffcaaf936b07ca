package import HelioCore

/// A place in the pacer's queue for a packet that is made when it leaves.
package struct OutgoingPacket: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Input, feedback and everything else that is small and must not wait (row 71).
        case control
        /// A retransmission of a packet that the sink reported missing.
        case retransmission
        /// A packet of access unit `frame`; all else is the same for all packets of one. A repair picture can follow on
        /// any frame from `repairsSince` on.
        case media(frame: UInt64, isKeyframe: Bool, repairsSince: UInt64? = nil)
        /// Parity of access unit `frame`, behind all of its packets.
        case parity(frame: UInt64, isKeyframe: Bool)
    }

    /// The bytes that it takes on the path.
    package let size: Int
    package let kind: Kind
    /// Names the packet, which is made when it leaves: the number of one that goes again, else its place among those
    /// that wait.
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

    /// True for a part of a keyframe or of a repair picture.
    var isOfEntry: Bool {
        switch kind {
        case .media(_, let isKeyframe, let since): isKeyframe || since != nil
        case .parity(_, let isKeyframe): isKeyframe
        case .control, .retransmission: false
        }
    }
}
