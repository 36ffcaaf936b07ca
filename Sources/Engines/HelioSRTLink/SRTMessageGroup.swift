/// What is sent together or not at all: the packets of one access unit, tables and clock included.
package struct SRTMessageGroup: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A picture that needs none before it.
        case keyframe
        /// A picture that needs those before it, back to the last keyframe.
        case picture
        case sound
    }

    /// Whole packets of a transport stream, 188 bytes each.
    package var bytes: [UInt8]
    package var kind: Kind

    package init(bytes: [UInt8], kind: Kind) {
        self.bytes = bytes
        self.kind = kind
    }
}
