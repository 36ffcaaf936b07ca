/// An access unit that is sent by RTMP, whole or not at all.
package struct RTMPUnit: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A picture that needs none before it.
        case keyframe
        /// A picture that needs those before it, back to the last keyframe.
        case picture
        case sound
    }

    package var kind: Kind
    /// Of a picture NAL units behind start codes, with parameter sets before the first keyframe; of sound a packet of
    /// Opus, or an access unit of AAC without a header.
    package var bytes: [UInt8]
    /// When it is shown or heard, since any epoch, which is one for pictures and sound.
    package var presentation: Duration
    /// When it is decoded, where that is earlier.
    package var decode: Duration?

    package init(_ kind: Kind, bytes: [UInt8], presentation: Duration, decode: Duration? = nil) {
        self.kind = kind
        self.bytes = bytes
        self.presentation = presentation
        self.decode = decode
    }
}
