/// One access unit for a destination's transport: a picture or a packet of sound, with its media time.
package struct BroadcastUnit: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A picture that refers to no earlier picture.
        case keyframe
        /// A picture whose decoding requires all pictures back to the last keyframe.
        case picture
        case sound
    }

    package var kind: Kind
    /// The NAL units of a picture, each preceded by a start code; or a sound packet of the codec, without a header.
    package var bytes: [UInt8]
    /// The media time since the connection's first unit: both presentation and decoding time.
    package var time: Duration

    package init(kind: Kind, bytes: [UInt8], time: Duration) {
        self.kind = kind
        self.bytes = bytes
        self.time = time
    }
}
