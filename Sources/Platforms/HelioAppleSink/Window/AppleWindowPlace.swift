internal import HelioAppleMedia
internal import HelioCore

/// The place where a picture is shown: a window of its own, or a view of an app.
@MainActor
protocol AppleWindowPlace: AnyObject, Sendable {
    var model: WindowModel<AppleSurface> { get }
    /// The highest refresh rate, in Hz, of the screen that shows the picture; `nil` if it is unknown.
    var screenRate: Int? { get }
    /// Runs the run loop until there are events to return, or the time is up; a view of an app, whose run loop runs
    /// anyway, does not wait.
    func wait(until: Instant?) -> [WindowEvent]
    /// Ends a `wait`.
    func wake()
    func setTitle(_ title: String)
}
