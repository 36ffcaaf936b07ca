public import HelioCore

/// An app's own video decoder.
public protocol VideoSinkPlugin: MediaPlugin {
    /// Takes a whole access unit, in decoding order; none is missing between a keyframe and the next.
    ///
    /// - Returns: false when it can't be decoded or taken: a keyframe is then requested.
    func receive(_ frame: EncodedFrame) -> Bool
}
