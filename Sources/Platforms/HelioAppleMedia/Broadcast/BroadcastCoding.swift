public import HelioCore

/// The encoder of a broadcast's pictures, as their sender uses it. Callable from any thread.
public protocol BroadcastCoding: AnyObject, Sendable {
    /// Requests that the next picture be a keyframe.
    func requestKeyframe()
    /// Limits the bits per second, and the picture's size in either orientation; `nil` sets no limit.
    func keep(to bitrate: Int?, largest: PixelSize?)
    /// Reduces the use of memory: the first call limits pictures to 3/4 of the preset's width and height, the second to
    /// half, and each halves the bitrate. Further calls do nothing.
    func lessen()
}
