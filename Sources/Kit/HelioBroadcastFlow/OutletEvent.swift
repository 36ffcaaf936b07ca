public import HelioCore

/// An event of an outlet, delivered on the outlet's thread.
public enum OutletEvent: Sendable, Hashable {
    case connected
    /// The connection is lost, for this reason, and is being retried.
    case lost(String)
    /// The next picture has to be a keyframe.
    case keyframeNeeded
    /// The limits of the bitrate, in bits a second, and of the picture's size have changed; `nil` means no limit.
    case wanted(bitrate: Int?, largest: PixelSize?)
    /// The app or the server has ended the broadcast, for this reason.
    case over(String)
}
