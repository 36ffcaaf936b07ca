/// One access unit as a destination's transport takes it: a picture or a packet of sound, with its media time.
package struct BroadcastUnit: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A picture that needs none before it.
        case keyframe
        /// A picture that needs those before it, back to the last keyframe.
        case picture
        /// A packet of sound.
        case sound
    }

    package var kind: Kind
    /// A picture's NAL units behind start codes, or a packet of sound without a header.
    package var bytes: [UInt8]
    /// The time since the connection's first unit, at which it is shown or heard: presentation and decoding time alike.
    package var time: Duration

    package init(kind: Kind, bytes: [UInt8], time: Duration) {
        self.kind = kind
        self.bytes = bytes
        self.time = time
    }
}
