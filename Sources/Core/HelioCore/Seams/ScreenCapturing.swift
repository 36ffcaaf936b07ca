/// A screen that can be captured: the seam that a platform fills.
///
/// All calls but those of `waker` come from one thread, the media thread. A picture keeps its platform's own type
/// through capture, convert and encode, so that nothing is copied to please an interface. Capture and conversion are
/// one call: a platform converts the changed pixels on their way into the picture, or its system has done so already.
package protocol ScreenCapturing<Picture>: AnyObject {
    associatedtype Picture

    /// The size of the captured area now, in pixels; even in both directions.
    var size: PixelSize { get }

    /// The part of `size`, from the top left, that the screen really has: a pixel less where the screen has an odd side.
    var shownSize: PixelSize { get }

    /// True while there is nothing to capture, as every output is switched off. `layoutChanged` tells of a change.
    var isOff: Bool { get }

    /// Keeps the screen from going dark by itself, or lets it. What is kept awake is let go when this value is.
    func keepAwake(_ isWatched: Bool)

    /// Notes for people on what the screen has to do without; empty as a rule.
    var notes: [String] { get }

    /// The monitors, and which of them is captured; as of the last `layoutChanged`.
    var layout: MonitorLayout { get }

    /// Asks for another monitor to be captured. Takes effect when `waitForChange` tells of it by `layoutChanged`: at
    /// once on X, some frames later on macOS. It is captured as long as it is there; when it vanishes the primary one
    /// is, until it is back.
    ///
    /// Throws `invalidArgument`, naming the choices, for an id that is not in `layout`.
    func select(_ id: ScreenMonitor.ID) throws(HelioError)

    /// Waits for a change of the screen, for `waker` or for `until`, whichever comes first. Does not
    /// take the pixels yet: changes go on adding up until `capture`.
    func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent

    /// Takes the changed pixels and puts them into `picture`, whose other pixels are kept from the last
    /// call. Gives the region of the picture that changed (grown to macroblocks) and when; `nil` when nothing did, and
    /// when a `layoutChanged` has to be told first.
    ///
    /// - Parameter everything: take the whole screen, changed or not.
    func capture(into picture: Picture, everything: Bool) throws(HelioError) -> Captured?

    /// True where `capture(_:into:)` fills further pictures.
    var fillsFurtherPictures: Bool { get }

    /// Puts parts of the screen, as they are now, into another picture than that of `capture(into:everything:)`, which
    /// is told of all changes all the same. Gives the region of the picture that changed, which may be empty; `nil` when
    /// a `layoutChanged` has to be told first.
    ///
    /// - Parameter part: in pixels of the screen.
    func capture(_ part: Region, into picture: Picture) throws(HelioError) -> Captured?

    /// Makes a picture for `capture`.
    ///
    /// - Parameter size: the present size, or a smaller one: the screen is scaled down to it then.
    func makePicture(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) throws(HelioError) -> Picture

    /// Draws a pointer into what is captured from now on; `nil`: none any more. Where it was and is counts as changed.
    func draw(_ pointer: DrawnPointer?)

    /// Ends a `waitForChange` that is going on, or makes the next one return at once. Any thread.
    var waker: @Sendable () -> Void { get }
}

extension ScreenCapturing {
    package var shownSize: PixelSize { size }
    package var isOff: Bool { false }
    /// A test picture never goes dark.
    package func keepAwake(_: Bool) {}
    package var fillsFurtherPictures: Bool { false }
    package func capture(_: Region, into _: Picture) throws(HelioError) -> Captured? { nil }
    /// A test picture has none, and a system that has drawn its own needs none.
    package func draw(_: DrawnPointer?) {}
}

/// The event that ended a wait for a change.
package enum CaptureEvent: Sendable, Hashable {
    /// Something on the screen changed; `at` is when that was first known.
    case changed(at: Instant)
    /// The monitors changed, or which of them is captured, or its place, size or scale: see `layout` and `size`. A
    /// picture of another size is of no use any more, and one of another monitor needs everything anew.
    case layoutChanged
    /// The time was up.
    case timeout
    /// `waker` was called.
    case woken
}

/// The result of a capture.
package struct Captured: Sendable {
    package var damage: Region
    /// The instant right before the pixels were requested.
    package var captured: Instant
    /// The instant at which they were in the encoder's format.
    package var converted: Instant

    package init(damage: Region, captured: Instant, converted: Instant) {
        self.damage = damage
        self.captured = captured
        self.converted = converted
    }
}
