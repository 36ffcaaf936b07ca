public import HelioCore
public import HelioSharing

/// An app's own video decoder.
public protocol VideoSinkPlugin: MediaPlugin {
    /// Takes a whole access unit. Units come in decoding order, with no gap between one keyframe and the next.
    ///
    /// - Returns: false if it can't be decoded or queued: a keyframe is then requested.
    func receive(_ frame: EncodedFrame) -> Bool
}
