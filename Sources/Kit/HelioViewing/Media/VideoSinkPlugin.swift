public import HelioCore
public import HelioSharing

/// An app's own video decoder, which receives the access units of a ``MirrorSink``.
public protocol VideoSinkPlugin: MediaPlugin {
    /// Receives a complete access unit. Units arrive in decoding order, and none is missing between two keyframes.
    ///
    /// - Returns: false if the unit can't be decoded or queued: a keyframe is then requested.
    func receive(_ frame: EncodedFrame) -> Bool
}
