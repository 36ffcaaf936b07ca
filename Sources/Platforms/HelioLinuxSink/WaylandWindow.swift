internal import CSDL2
internal import HelioCore
private import HelioGround
private import HelioWayland

/// The Wayland side of a window: a surface of this program's own over SDL's, whose pixels the compositor reads from
/// shared memory, and what SDL does not tell of pointer and keyboard.
///
/// SDL itself would draw by OpenGL: each picture would be uploaded, and shown only after the compositor's next frame.
final class WaylandWindow {
    /// Valid until `close`.
    let handle: UnsafeMutablePointer<helio_wayland>
    private var isClosed = false
    private let window: OpaquePointer
    /// The time from which the compositor has owed a frame callback; of meaning while it owes one.
    private var framedFrom = Instant.zero
    /// The size in pixels and in points at which the surface was last shown.
    private var shown: (pixels: PixelSize, points: PixelSize)?
    /// True if SDL's surface needs a buffer anew, because SDL has taken it away or the window's state has changed.
    var isBackDue = true

    /// The time without a frame callback after which the window counts as hidden. Compositors call back for windows on
    /// another workspace or behind others rarely, or never.
    static let patience = Duration.milliseconds(500)

    /// `nil` if the window isn't a Wayland window, or the compositor lacks what is needed. The window must outlive this
    /// object.
    init?(of window: OpaquePointer) {
        guard let handle = helio_wayland_open(window) else { return nil }
        self.handle = handle
        self.window = window
    }

    deinit { close() }

    /// Ends the Wayland side, which the window outlives.
    func close() {
        if isClosed { return }
        isClosed = true
        helio_wayland_close(handle)
    }

    /// The compositor's socket.
    var descriptor: Int32 { wl_display_get_fd(handle.pointee.display) }

    /// True while the compositor tells this program the pointer's positions itself: a mouse is over the window, not a
    /// finger or a pen.
    var isPointerOver: Bool { handle.pointee.is_over != 0 }
    /// True if the compositor can pass its own shortcuts on to a window.
    var canGrabKeyboard: Bool { handle.pointee.can_inhibit != 0 }
    /// True if the compositor can lock the pointer, and tells its motion then.
    var canLockPointer: Bool { handle.pointee.can_lock == 3 }

    /// Caps Lock and Num Lock; `nil` while no keyboard is known.
    var locks: LockState? {
        let bits = helio_wayland_locks(handle)
        return bits < 0 ? nil : LockState(caps: bits & 1 != 0, num: bits & 2 != 0)
    }

    /// The keysym of a key in this machine's layout, with the present modifiers; 0 if there is none.
    func keysym(usage: UInt16) -> UInt32 {
        EvdevKeycodes.keycode(usage: usage).map { helio_wayland_keysym(handle, UInt32($0)) } ?? 0
    }

    /// True if the compositor does not show the window. Nothing is drawn then; the late frame callback ends it.
    var isHidden: Bool { handle.pointee.frame != nil && MonotonicClock.now - framedFrom > Self.patience }

    /// The window's size in SDL's units, which are the compositor's logical ones.
    var points: PixelSize {
        var width: Int32 = 0
        var height: Int32 = 0
        SDL_GetWindowSize(window, &width, &height)
        return PixelSize(width: max(1, Int(width)), height: max(1, Int(height)))
    }

    /// Shows a buffer of the window's size in pixels. Returns false if the connection has ended or no memory is left.
    func show(_ buffer: UnsafeMutablePointer<helio_wayland_buffer>, _ pixels: PixelSize) -> Bool {
        let points = points
        let isResized = shown.map { $0.pixels != pixels || $0.points != points } ?? true
        if isResized {
            helio_wayland_fit(
                handle.pointee.surface, handle.pointee.viewport, Int32(pixels.width), Int32(pixels.height),
                Int32(points.width), Int32(points.height))
            shown = (pixels, points)
        }
        if handle.pointee.frame == nil { framedFrom = MonotonicClock.now }
        helio_wayland_show(handle, buffer)
        if isResized || isBackDue {
            isBackDue = false
            guard helio_wayland_show_back(handle, Int32(pixels.width), Int32(pixels.height)) != 0 else { return false }
        }
        return helio_wayland_flush(handle) != 0
    }

    /// Converts a position that the compositor tells, in 1/256 points, to the window's pixel there.
    ///
    /// The compositor rounds positions to 1/256 points, so one such unit is added: the edge of a pixel belongs to it.
    static func pixel(_ position: Int, pixels: Int, points: Int) -> Int {
        let numerator = (position + 1) * pixels
        let denominator = 256 * max(1, points)
        return numerator >= 0 ? numerator / denominator : -((denominator - 1 - numerator) / denominator)
    }
}
