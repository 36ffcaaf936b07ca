public import HelioCore

/// Codes the pictures of a broadcast, as whoever sends them sees it. Any thread may call.
public protocol BroadcastCoding: AnyObject, Sendable {
    /// The next picture is to be a keyframe.
    func requestKeyframe()
    /// Keeps to no more bits a second, and to no larger a picture, in either orientation; `nil` is as much as there is.
    func keep(to bitrate: Int?, largest: PixelSize?)
    /// Takes less memory from now on: a smaller picture at a lower rate. Each call takes a step, of which there are two.
    func lessen()
}
