/// A window that shows pictures and takes the person's input: the seam that a platform fills.
///
/// All calls but those of `waker` come from one thread, the program's main one.
package protocol FramePresenting<Picture>: AnyObject {
    associatedtype Picture: DecodedImaging

    /// The picture that is shown.
    var picture: Picture? { get }

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

    func setTitle(_ title: String)
    /// Sets what stands there until the first picture.
    func setWaitingText(_ text: String)
    /// A line over the picture; `nil` = none.
    func setMessage(_ text: String?)
    /// Lines over the picture; `nil` = none.
    func setStatistics(_ lines: [String]?)
    /// Whether input is for the host. Turned off, what is down there has to be let go by the caller.
    func setControls(_ isOn: Bool)
    /// The host's pointer has another shape; `nil` = it shows none.
    func setCursorShape(_ shape: CursorShape?)
    /// The host's pointer is at this pixel of the picture; `nil` = not on it.
    func setCursorPosition(_ position: (x: Int, y: Int)?)
}
