public import HelioCore

/// The control of a broadcast's video encoder, for the sender of its pictures. Callable from any thread.
public protocol BroadcastCoding: AnyObject, Sendable {
    /// Requests that the next picture be a keyframe.
    func requestKeyframe()
    /// Limits the bitrate, in bits per second, and the picture's size; `nil` sets no limit. For a screen in the other
    /// orientation, width and height of `largest` are exchanged.
    func keep(to bitrate: Int?, largest: PixelSize?)
    /// Reduces memory use: the first call limits pictures to 3/4 of the preset's width and height, the second to half,
    /// and each of the two halves the bitrate. Further calls have no effect.
    func lessen()
}
