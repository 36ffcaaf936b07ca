internal import HelioAppleMedia
internal import HelioCore

/// The place in which a picture is shown: a separate window, or a view of an app.
@MainActor
protocol AppleWindowPlace: AnyObject, Sendable {
    var model: WindowModel<AppleSurface> { get }
    /// The highest refresh rate, in Hz, of the screen that shows the picture; `nil` if it is unknown.
    var screenRate: Int? { get }
    /// Runs the run loop until there are events to return, at most until `until`. In a view of an app, which runs its
    /// own run loop, returns at once.
    func wait(until: Instant?) -> [WindowEvent]
    /// Ends a pending `wait`; in a view of an app, makes the app read the events.
    func wake()
    func setTitle(_ title: String)
}
