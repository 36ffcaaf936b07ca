/// A screen that can be captured: a seam that each platform implements.
///
/// All methods except `waker` are called on one thread, the media thread. A picture keeps its platform's own type
/// through capture, conversion and encoding, so that no interface requires a copy. Capture and conversion are one call:
/// a platform converts the changed pixels on their way into the picture, or its system has already converted them.
package protocol ScreenCapturing<Picture>: AnyObject {
    associatedtype Picture

    /// The current size of the captured area, in pixels; even in both directions.
    var size: PixelSize { get }

    /// The part of `size`, from the top left, that exists on the screen: one pixel less in each direction in which the
    /// screen's size is odd.
    var shownSize: PixelSize { get }

    /// True while there is nothing to capture, because every output is off. `layoutChanged` reports a change.
    var isOff: Bool { get }

    /// Prevents the screen's automatic blanking if `isWatched` is true, or allows it. Releasing this object allows it
    /// again.
    func keepAwake(_ isWatched: Bool)

    /// Notes for the user about missing capabilities of the screen; usually empty.
    var notes: [String] { get }

    /// The monitors and the captured one, as of the last `layoutChanged`.
    var layout: MonitorLayout { get }

    /// Requests the capture of another monitor. Takes effect when `waitForChange` reports it with `layoutChanged`: at
    /// once on X, some frames later on macOS. If the monitor vanishes, the primary monitor is captured until the
    /// selected monitor is back.
    ///
    /// Throws `invalidArgument`, with the possible ids, for an id that is not in `layout`.
    func select(_ id: ScreenMonitor.ID) throws(HelioError)

    /// Waits for a change of the screen, for `waker` or for `until`, whichever comes first. Does not read the pixels
    /// yet: changes accumulate until `capture`.
    func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent

    /// Reads the changed pixels into `picture`, whose other pixels stay as they were after the last call. Returns the
    /// changed region of the picture (extended to macroblocks) with the time; `nil` if nothing changed, or if a
    /// `layoutChanged` has to be reported first.
    ///
    /// - Parameter everything: true to read the whole screen, even if it has not changed.
    func capture(into picture: Picture, everything: Bool) throws(HelioError) -> Captured?

    /// True if `capture(_:into:)`, which fills pictures besides the main one, is supported.
    var fillsFurtherPictures: Bool { get }

    /// Reads parts of the current screen into a further picture; the picture of `capture(into:everything:)` still gets
    /// all changes. Returns the changed region of the picture, which may be empty; `nil` if a `layoutChanged` has to be
    /// reported first.
    ///
    /// - Parameter part: the parts, in pixels of the screen.
    func capture(_ part: Region, into picture: Picture) throws(HelioError) -> Captured?

    /// Makes a picture for `capture`.
    ///
    /// - Parameter size: the current size, or a smaller one, to which the screen is then scaled down.
    func makePicture(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) throws(HelioError) -> Picture

    /// Draws a pointer into captured pictures from now on; `nil` for none. Its old and new area count as changed.
    func draw(_ pointer: DrawnPointer?)

    /// Ends a `waitForChange` in progress, or makes the next `waitForChange` return at once. Callable on any thread.
    var waker: @Sendable () -> Void { get }
}

extension ScreenCapturing {
    package var shownSize: PixelSize { size }
    package var isOff: Bool { false }
    /// Does nothing: a test picture is never blanked.
    package func keepAwake(_: Bool) {}
    package var fillsFurtherPictures: Bool { false }
    package func capture(_: Region, into _: Picture) throws(HelioError) -> Captured? { nil }
    /// Does nothing, for a test picture without a pointer, and for a system that draws the pointer itself.
    package func draw(_: DrawnPointer?) {}
}

/// The event that ended a wait for a change.
package enum CaptureEvent: Sendable, Hashable {
    /// Something on the screen changed; `at` is the time of the first report.
    case changed(at: Instant)
    /// The list of monitors changed, or the captured monitor, or its position, size or scale; `layout` and `size` have
    /// the new values. If the size has changed, existing pictures are no longer usable; if the monitor has changed, the
    /// whole screen has to be captured.
    case layoutChanged
    /// The instant `until` has passed.
    case timeout
    /// `waker` was called.
    case woken
}

/// The result of a capture: the changed region, and the times of capture and conversion.
package struct Captured: Sendable {
    package var damage: Region
    /// The instant right before the pixels were requested.
    package var captured: Instant
    /// The instant at which the pixels were in the encoder's format.
    package var converted: Instant

    package init(damage: Region, captured: Instant, converted: Instant) {
        self.damage = damage
        self.captured = captured
        self.converted = converted
    }
}
