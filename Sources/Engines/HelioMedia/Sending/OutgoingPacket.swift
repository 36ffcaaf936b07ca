package import HelioCore
package import HelioRTP

/// A packet that waits to be sent, as the values from which it is built when it leaves.
package struct OutgoingPacket: Sendable {
    package enum Kind: Sendable, Hashable {
        /// Input, feedback and other small data that must not wait.
        case control
        /// A retransmission of a packet that the sink reported missing.
        case retransmission
        /// A packet of access unit `frame`; the other values are the same for all its packets. A repair picture can
        /// follow any frame from `repairsSince` on.
        case media(frame: UInt64, isKeyframe: Bool, repairsSince: UInt64? = nil)
        /// Parity of access unit `frame`, queued after all of its packets.
        case parity(frame: UInt64, isKeyframe: Bool)
    }

    /// The values from which the packet is built.
    package enum Content: Sendable {
        /// A payload within the bytes of its slice; `repairsSince` is the value of the `RepairExtension`.
        case payload(
            [UInt8], PacketizedSlice.Payload, timestamp: UInt32, timing: FrameTiming, repairsSince: UInt32?,
            dependency: DependencyDescriptor?)
        case parity(Parity, timestamp: UInt32)
        /// A retransmission of the packet with this number.
        case copy(of: ExtendedSequence)
    }

    /// The position of a parity packet among the parity packets of its frame.
    package struct Parity: Sendable {
        var frame: UInt64
        /// The number of packets of the frame: if not all of them have left, the pacer has dropped some.
        var framePackets: Int
        var block: Int
        var blocks: Int
        var index: Int
        var parities: Int
        var isLast: Bool
    }

    /// The packet's size in bytes, before encryption.
    package let size: Int
    package let kind: Kind
    package let content: Content

    /// The access unit that the packet belongs to, or that it carries parity for.
    var frame: UInt64? {
        switch kind {
        case .media(let frame, _, _), .parity(let frame, _): frame
        case .control, .retransmission: nil
        }
    }

    package init(size: Int, kind: Kind, content: Content) {
        self.size = size
        self.kind = kind
        self.content = content
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
