public import HelioCore

/// What an outlet tells, on a thread of its own.
public enum OutletEvent: Sendable, Hashable {
    case connected
    /// It is tried again; the text says why.
    case lost(String)
    /// The next picture is to be a keyframe.
    case keyframeNeeded
    /// No more bits a second than this, and no larger a picture; `nil` is as much as there is.
    case wanted(bitrate: Int?, largest: PixelSize?)
    /// The other end wants no more; the text says why.
    case over(String)
}
