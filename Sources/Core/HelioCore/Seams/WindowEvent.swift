/// Something that happened to a window: what `FramePresenting.wait` gives.
package enum WindowEvent: Sendable, Hashable {
    /// Input for the host.
    case input(WindowInput)
    /// A command that the window can't obey by itself: `toggleStatistics`, `changeDriver`, `nextMonitor`, `toggleSound`,
    /// `toggleMicrophone`, `toggleClipboard`, `takeFiles`, `declineFiles`, `louder` or `quieter`. Others are told when they
    /// have been obeyed, and `quit` as `closeRequested`.
    case command(WindowCommand)
    /// The window has another size, in pixels; it has drawn itself anew.
    case resized(PixelSize)
    case closeRequested
    /// A file or folder was dropped on the window: its path.
    case dropped(String)
    /// `waker` was called, once or more often.
    case woken
}
