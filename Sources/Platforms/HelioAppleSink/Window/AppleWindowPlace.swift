internal import HelioAppleMedia
internal import HelioCore

/// Where a picture is shown: a window of its own, or a view of an app's.
@MainActor
protocol AppleWindowPlace: AnyObject, Sendable {
    var model: WindowModel<AppleSurface> { get }
    /// The most refreshes a second of the screen under it; `nil` where that is not known.
    var screenRate: Int? { get }
    /// Gives the run loop its turn until there is something to tell, or the time is up; a view of an app's, which has
    /// its turn anyway, waits for nothing.
    func wait(until: Instant?) -> [WindowEvent]
    /// Ends a `wait`.
    func wake()
    func setTitle(_ title: String)
}
