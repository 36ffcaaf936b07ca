/// A window that shows pictures and takes the person's input: the seam that a platform fills.
///
/// All calls but those of `waker` come from one thread, the program's main one.
package protocol FramePresenting<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    /// The picture that is shown.
    var picture: Picture? { get }

    /// How often a second the screen under the window is drawn anew; `nil` where that is not known.
    var refreshRate: Int? { get }

    /// Ends a `wait` that is going on, or makes the next one return at once. Any thread.
    var waker: @Sendable () -> Void { get }

    /// Waits for the person, for `waker` or for `until`, whichever comes first; empty when the time was up.
    ///
    /// Throws `displayUnavailable` when the window can't be used any more.
    func wait(until: Instant?) throws(HelioError) -> [WindowEvent]

    /// Shows a picture.
    ///
    /// - Parameter damage: what may differ from the picture last given here; `nil` = everything.
    /// - Returns: when it was on the screen or, for a window that can't be seen, now.
    @discardableResult
    func show(_ picture: Picture, damage: Region?) throws(HelioError) -> Instant

    /// Sets the size of the host's screen, where that is known. Pictures have even sides: one of a screen with an odd side
    /// has a column or row more, which is not shown.
    func setScreenSize(_ size: PixelSize?)
    func setTitle(_ title: String)
    /// Sets how the picture is scaled to the window.
    func setScaleMode(_ mode: ScaleMode)
    /// Sets the text that is shown until the first picture.
    func setWaitingText(_ text: String)
    /// Sets a line over the picture; `nil` = none.
    func setMessage(_ text: String?)
    /// Sets lines of statistics over the picture; `nil` = none.
    func setStatistics(_ lines: [String]?)
    /// Turns sending input to the host on or off. When it is turned off, the caller has to release what is down.
    func setControls(_ isOn: Bool)
    /// Sets the shape of the host's pointer; `nil` = it shows none.
    func setCursorShape(_ shape: CursorShape?)
    /// Sets the position of the host's pointer, in pixels of the picture; `nil` = not on it.
    func setCursorPosition(_ position: (x: Int, y: Int)?)
    /// Tells the person, in a sentence, how a command has left the window that obeys it by itself; `nil` where that shows,
    /// or for another command.
    func outcome(of command: WindowCommand) -> String?
}

extension FramePresenting {
    package var refreshRate: Int? { nil }
    package func setScreenSize(_: PixelSize?) {}
    package func outcome(of command: WindowCommand) -> String? { nil }
}
