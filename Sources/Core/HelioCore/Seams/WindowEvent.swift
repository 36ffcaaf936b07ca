/// An event of a window, returned by `FramePresenting.wait`.
package enum WindowEvent: Sendable, Hashable {
    /// Input to send to the host.
    case input(WindowInput)
    /// A command that the window can't execute itself: `toggleStatistics`, `changeDriver`, `nextMonitor`,
    /// `toggleSound`, `toggleMicrophone`, `toggleClipboard`, `takeFiles`, `declineFiles`, `louder` or `quieter`. Others
    /// are reported after the window has executed them, and `quit` is reported as `closeRequested`.
    case command(WindowCommand)
    /// The window has this new size, in pixels, and has redrawn itself.
    case resized(PixelSize)
    case closeRequested
    /// A file or folder with this path was dropped on the window.
    case dropped(String)
    /// `waker` was called, at least once.
    case woken
}
