/// A window that shows pictures and receives the user's input: a seam that each platform implements.
///
/// All methods except `waker` are called on the program's main thread.
package protocol FramePresenting<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    /// The picture that the window shows; `nil` before the first.
    var picture: Picture? { get }

    /// The refresh rate of the window's screen per second; `nil` if unknown.
    var refreshRate: Int? { get }

    /// A sentence for the user about the window system that shows the window, where there is a choice; otherwise `nil`.
    var note: String? { get }

    /// Ends a `wait` in progress, or makes the next `wait` return at once. Callable on any thread.
    var waker: @Sendable () -> Void { get }

    /// Waits for input, for `waker` or for `until`, whichever comes first. Returns the events; none at the timeout.
    ///
    /// Throws `displayUnavailable` if the window can no longer be used.
    func wait(until: Instant?) throws(HelioError) -> [WindowEvent]

    /// Shows a picture.
    ///
    /// - Parameter damage: the part that may differ from the picture of the previous call; `nil` for everything.
    /// - Returns: the time at which the picture appeared on the screen; the current time if the window is invisible.
    @discardableResult
    func show(_ picture: Picture, damage: Region?) throws(HelioError) -> Instant

    /// Sets the size of the host's screen, if known. Pictures have even sides: the picture of a screen with an odd side
    /// has an extra column or row, which is not shown.
    func setScreenSize(_ size: PixelSize?)
    func setTitle(_ title: String)
    /// Sets how the picture is scaled to the window.
    func setScaleMode(_ mode: ScaleMode)
    /// Sets the text that is shown until the first picture.
    func setWaitingText(_ text: String)
    /// Sets a line of text over the picture; `nil` for none.
    func setMessage(_ text: String?)
    /// Sets lines of statistics over the picture; `nil` for none.
    func setStatistics(_ lines: [String]?)
    /// Turns sending input to the host on or off. When it is turned off, the caller has to release pressed keys and
    /// buttons.
    func setControls(_ isOn: Bool)
    /// Sets the shape of the host's pointer; `nil` for none.
    func setCursorShape(_ shape: CursorShape?)
    /// Sets the position of the host's pointer in pixels of the picture; `nil` if the pointer is not on the captured
    /// screen.
    func setCursorPosition(_ position: (x: Int, y: Int)?)
    /// Returns a sentence for the user about the outcome of a command that the window executes itself; `nil` if the
    /// outcome is visible, and for commands that the window does not execute.
    func outcome(of command: WindowCommand) -> String?
}

extension FramePresenting {
    package var refreshRate: Int? { nil }
    package var note: String? { nil }
    package func setScreenSize(_: PixelSize?) {}
    package func outcome(of command: WindowCommand) -> String? { nil }
}
