/// One access unit for a destination's transport: a picture or a packet of sound, with its media time.
package struct BroadcastUnit: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A picture that refers to no earlier one.
        case keyframe
        /// A picture that needs those before it, back to the last keyframe.
        case picture
        /// A packet of sound.
        case sound
    }

    package var kind: Kind
    /// A picture's NAL units, each preceded by a start code, or a packet of sound without a header.
    package var bytes: [UInt8]
    /// The time since the connection's first unit, for both presentation and decoding.
    package var time: Duration

    package init(kind: Kind, bytes: [UInt8], time: Duration) {
        self.kind = kind
        self.bytes = bytes
        self.time = time
    }
}
