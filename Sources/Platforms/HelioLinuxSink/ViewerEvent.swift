package import HelioCore

/// What `ViewerWindow.wait` brings.
package enum ViewerEvent: Sendable, Hashable {
    /// For the host.
    case input(WindowInput)
    /// The viewer pressed a key of the window's own. All but `toggleStatistics`, `changeDriver` and `nextMonitor` the
    /// window has obeyed already.
    case command(WindowCommand)
    /// The window has another size, in pixels; it has drawn itself anew.
    case resized(PixelSize)
    case closeRequested
    /// `wake` was called, once or more often.
    case woken
}
