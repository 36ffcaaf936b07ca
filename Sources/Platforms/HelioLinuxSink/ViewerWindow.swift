internal import CSDL2
package import HelioCore
internal import HelioGround
private import HelioPatch
package import HelioWindow

/// The window that shows the host's screen and receives the user's input for it.
///
/// All members are for the main thread, except the closure `waker`. Pictures are sent to the X server or the Wayland
/// compositor through shared memory; only changed parts are converted. On X11, drawing ends with a round trip, so that
/// `show` returns the time at which the pixels were on the screen; a compositor shows them with its next frame, and is
/// not waited for. Nothing is drawn unless something has changed, and `wait` sleeps in the kernel.
package final class ViewerWindow: FramePresenting {
    let window: OpaquePointer
    /// Xlib's connection; `nil` under another window system.
    let display: OpaquePointer?
    /// The Wayland side of the window; `nil` under another window system. With neither, SDL draws and waits.
    let wayland: WaylandWindow?
    /// The window system, and why it is this one, in a Wayland session; `nil` elsewhere.
    package let note: String?
    let wakeup: Wakeup

    /// The last picture passed to `show`; `nil` before the first one.
    package private(set) var picture: DecodedPicture?
    /// The size of the host's screen, which may be odd; `nil` if it is not known.
    var screenSize: PixelSize?
    package internal(set) var layout: PictureLayout
    package internal(set) var scaleMode: ScaleMode
    package internal(set) var isFullScreen: Bool
    /// True while the pointer is hidden, and its movements are reported instead of positions.
    package internal(set) var isPointerLocked = false
    package internal(set) var grabsKeyboard: Bool
    /// True if input is sent to the host.
    package internal(set) var controls: Bool

    var keyboard: KeyboardRouter
    var keyReleases = KeyReleases()
    /// The key press whose text may follow with the next event.
    var strike: KeyStrike?
    /// The state of the locks that was last reported to the host; `nil` to report it as soon as the window has the
    /// keyboard focus.
    var toldLocks: LockState?
    var pointer = PointerState()
    var cursor = CursorState()
    var overlays = OverlayState()
    var scroll = (x: 0, y: 0)

    private let painter = PicturePainter()
    /// The window's outdated pixels, which must be drawn.
    private var dirty = Region()
    private var adoptsPictureSize: Bool
    /// The size, in points, with which the window was made.
    private let initialSize: PixelSize
    /// The X graphics context for copies within the window; `nil` under another window system.
    private let copying: GC?
    /// The surface of the window's pixels; `nil` before the window exists, and while it is being closed.
    private var pixels: (any PixelTarget)?
    /// True if copies within the window were requested and the server has not confirmed them yet.
    private var hasMoved = false
    /// True if parts of the window show a later picture than `picture`, whose memory `InPlaceDecoder` has reused.
    private var isAhead = false

    package init(title: String, options: WindowOptions = WindowOptions()) throws(HelioError) {
        let wakeup = try Wakeup()
        let opened = try Self.open(title, options)
        window = opened.window
        wayland = opened.wayland
        note = opened.note
        self.wakeup = wakeup
        display = helio_x11_display(window)
        copying = helio_x11_copying(window)
        if let display { helio_x11_want_raw_pointer(display, 0) }
        scaleMode = options.scaleMode
        let full = SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
        isFullScreen = SDL_GetWindowFlags(window) & full == full
        grabsKeyboard = options.grabsKeyboard
        controls = options.controls
        adoptsPictureSize = options.adoptsPictureSize
        initialSize = options.size
        keyboard = KeyboardRouter(mode: options.keys == .place ? .place : .character)
        layout = PictureLayout(
            picture: PixelSize(width: 0, height: 0), window: options.size, mode: options.scaleMode)
        pixels = makePixels(wayland == nil ? layout.window : pixelSize)
        guard pixels?.surface != nil else {
            pixels = nil
            Self.close(opened)
            throw HelioError(.displayUnavailable, "The display has no 24-bit colour")
        }
        if let display { helio_x11_want_locks(display) }
        setKeys(keyboard.mode)
        SDL_SetWindowKeyboardGrab(window, options.grabsKeyboard ? SDL_TRUE : SDL_FALSE)
        overlays.waitingText = options.waitingText
        relayout()
        if wayland != nil { try appear() }
        if options.isFullScreen { setFullScreen(true) }
    }

    deinit {
        cursor.release()
        pixels = nil
        if let copying { helio_x11_free(window, copying) }
        Self.close(OpenedWindow(window: window, wayland: wayland))
    }

    package var waker: @Sendable () -> Void {
        { [wakeup] in wakeup.signal() }
    }

    /// Shows a picture: converts and draws its changed pixels, and those of earlier pictures that are still undrawn.
    ///
    /// - Parameter damage: the region that may differ from the picture of the last call (not from the last decoded
    ///   one); `nil` if any part may differ.
    /// - Returns: the time at which the pixels were on the screen, or were sent to a Wayland compositor; for a hidden
    ///   window, the present time.
    @discardableResult
    package func show(_ picture: DecodedPicture, damage: Region?) throws(HelioError) -> Instant {
        defer { picture.markDrawn() }
        let shown = self.picture
        let isFirst = shown == nil
        let isReshaped = shown?.size != picture.size
        let bounds = PixelRect(picture.size)
        self.picture = picture
        if let damage, !isReshaped {
            painter.noteDamage(damage, of: picture)
            let rest = move(to: picture, from: shown) ?? damage
            for rect in rest.rects { dirty.add(layout.windowRect(of: rect.intersection(bounds))) }
        } else {
            painter.noteDamage(Region(bounds), of: picture)
            if isFirst { adoptPictureSize() }
            if isReshaped { relayout() } else { dirty.add(layout.visible) }
        }
        isAhead = false
        try flush()
        return MonotonicClock.now
    }

    /// Copies, within the window, the parts that only moved since the picture `shown`.
    ///
    /// - Returns: the region that remains to be drawn, in pixels of the picture; `nil` if nothing could be copied.
    private func move(to picture: DecodedPicture, from shown: DecodedPicture?) -> Region? {
        guard let copying, let change = picture.change, change.base == shown?.frameIndex, dirty.isEmpty, !isAhead,
            isVisible, !layout.isScaled, change.scroll.rects.count <= Self.mostMoves,
            layout.window == pixelSize
        else { return nil }
        let motion = change.scroll.motion
        let (origin, visible) = (layout.content, layout.visible)
        // Pixels can be copied only from positions at which they are visible.
        let reach = visible.intersection(visible.moved(y: -motion))
        let covers = visibleLayers.flatMap { [$0.frame, $0.frame.moved(y: -motion)] }
        var rest = change.coded
        // The order is chosen so that no copy overwrites the source of a later copy.
        for rect in motion > 0 ? change.scroll.rects : change.scroll.rects.reversed() {
            let target = rect.moved(x: origin.x, y: origin.y).intersection(reach)
            for part in rect.moved(x: origin.x, y: origin.y).subtracting(target) + covers.map(target.intersection) {
                if !part.isEmpty { rest.add(part.moved(x: -origin.x, y: -origin.y)) }
            }
            if target.isEmpty { continue }
            var area = SDL_Rect(target)
            helio_x11_move(window, copying, &area, Int32(motion))
            hasMoved = true
        }
        return rest
    }

    /// The maximum number of copies for a picture: with more, drawing is faster.
    private static let mostMoves = 16

    /// Marks as outdated the parts that the server could not copy, because other windows covered them.
    private func noteUncopied() {
        guard hasMoved, let display else { return }
        hasMoved = false
        var part = SDL_Rect()
        while helio_x11_take_uncopied(display, &part) != 0 {
            invalidate(PixelRect(x: Int(part.x), y: Int(part.y), width: Int(part.w), height: Int(part.h)))
        }
    }

    /// Draws all outdated pixels. `wait` calls this before it sleeps.
    package func flush() throws(HelioError) {
        // `drawDirty` waits for the server, so sync here only if there are no pixels to draw.
        if hasMoved, dirty.isEmpty, let display {
            helio_x11_sync(display)
            noteUncopied()
        }
        while needsDrawing {
            try drawDirty()
            noteUncopied()
        }
    }

    private func drawDirty() throws(HelioError) {
        if pixels?.size != pixelSize { pixels = makePixels(pixelSize) }
        guard let pixels, let surface = pixels.surface else {
            throw HelioError(.displayUnavailable, "The window's pixels are gone: \(Self.sdlError)")
        }
        let size = PixelSize(width: Int(surface.pointee.w), height: Int(surface.pointee.h))
        if size != layout.window { relayout() }
        let rects = dirty.rects
        dirty.removeAll()
        pixels.prepare(for: rects)
        for rect in rects {
            // The server copies a band, which is still in the CPU's cache, while the next band is drawn.
            for band in Self.bands(of: rect.intersection(PixelRect(size))) { pixels.put(draw(band, on: surface)) }
        }
        // The picture's memory may be reused now, while the server still copies the drawn pixels, which can take long.
        picture?.markDrawn()
        if !pixels.finish() {
            throw HelioError(.displayUnavailable, "The window can't be drawn: \(Self.sdlError)")
        }
    }

    /// The number of pixels in a band, which fit into the private cache of a processor core.
    private static let bandPixels = 1 << 17

    private static func bands(of rect: PixelRect) -> [PixelRect] {
        if rect.isEmpty { return [] }
        let lines = max(16, bandPixels / rect.width / 16 * 16)
        return stride(from: rect.y, to: rect.maxY, by: lines).map {
            PixelRect(x: rect.x, y: $0, width: rect.width, height: min(lines, rect.maxY - $0))
        }
    }

    /// Draws picture and overlays in a rectangle; returns the rectangle drawn, which may be expanded to the chroma
    /// grid.
    private func draw(
        _ wanted: PixelRect, on surface: UnsafeMutablePointer<SDL_Surface>
    ) -> PixelRect {
        let visible = layout.visible
        var rect = wanted
        var shown = wanted.intersection(visible)
        if let picture, !shown.isEmpty {
            shown = painter.covered(by: shown, of: picture, layout: layout)
            rect = rect.union(shown)
        }
        if picture == nil || !visible.contains(rect) {
            var black = SDL_Rect(rect)
            SDL_FillRect(surface, &black, 0)
        }
        if let picture, !shown.isEmpty {
            if !picture.isCurrent { isAhead = true }
            let pixels = surface.pointee.pixels.assumingMemoryBound(to: UInt8.self)
            painter.paint(shown, of: picture, layout: layout, into: pixels, stride: Int(surface.pointee.pitch))
        }
        for layer in visibleLayers {
            let part = layer.frame.intersection(rect)
            if part.isEmpty { continue }
            var clip = SDL_Rect(part)
            SDL_SetClipRect(surface, &clip)
            layer.draw(over: surface)
            SDL_SetClipRect(surface, nil)
        }
        return rect
    }

    /// The present layers over the picture, from bottom to top: pointer, waiting text, statistics, message, help.
    private var visibleLayers: [OverlayLayer] {
        [cursor.layer, overlays.waiting, overlays.statistics, overlays.message, overlays.help].compactMap { $0 }
    }

    /// True if there are outdated pixels that can be drawn now. Those of a hidden window wait.
    var needsDrawing: Bool {
        guard !dirty.isEmpty, isVisible else { return false }
        guard let wayland else { return true }
        return !wayland.isHidden && ((pixels as? WaylandPixels)?.isReady ?? true)
    }

    private func makePixels(_ size: PixelSize) -> any PixelTarget {
        wayland.map { WaylandPixels(of: $0, size: size) } ?? WindowPixels(of: window, size: size)
    }

    /// Marks a part of the window as outdated.
    func invalidate(_ rect: PixelRect) { dirty.add(rect.intersection(PixelRect(layout.window))) }

    func invalidateAll() {
        dirty.removeAll()
        dirty.add(PixelRect(layout.window))
    }

    /// Recomputes the layout after a change of the window's size, the picture's size or the scale mode.
    func relayout() {
        layout = PictureLayout(
            picture: visiblePicture, window: pixelSize, mode: shownMode,
            scrollX: scroll.x, scrollY: scroll.y)
        if layout.content.x < 0 { scroll.x = -layout.content.x } else { scroll.x = 0 }
        if layout.content.y < 0 { scroll.y = -layout.content.y } else { scroll.y = 0 }
        invalidateAll()
        placeOverlays()
        rescaleCursor()
    }

    /// The window's present size in pixels, queried from SDL.
    var pixelSize: PixelSize {
        var width: Int32 = 0
        var height: Int32 = 0
        SDL_GetWindowSizeInPixels(window, &width, &height)
        return PixelSize(width: Int(width), height: Int(height))
    }

    private var isVisible: Bool {
        SDL_GetWindowFlags(window) & (SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_MINIMIZED.rawValue) == 0
    }

    /// Resizes the window to the first picture's size, scaled down if the screen has less space for a window.
    private func adoptPictureSize() {
        let occupied = SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue | SDL_WINDOW_MAXIMIZED.rawValue
        guard adoptsPictureSize, SDL_GetWindowFlags(window) & occupied == 0, picture != nil else { return }
        // A compositor that has given the window another size, as tiling ones do, wants that size.
        if let wayland, wayland.points != initialSize { return }
        var room = SDL_Rect()
        guard SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(window), &room) == 0 else { return }
        var (top, left, bottom, right): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        _ = SDL_GetWindowBordersSize(window, &top, &left, &bottom, &right)
        let scale = pixelsPerPoint
        // A compositor does not tell how much of the screen its bars and the window's frame take.
        let share = wayland == nil ? 1 : 0.9 * scale
        let limit = PixelSize(
            width: Int(Double(room.w - left - right) * share), height: Int(Double(room.h - top - bottom) * share))
        var size = visiblePicture
        if size.width > limit.width || size.height > limit.height {
            size = PictureLayout(picture: size, window: limit, mode: .fit).content.size
        }
        let (width, height) = ((Double(size.width) / scale).rounded(.up), (Double(size.height) / scale).rounded(.up))
        SDL_SetWindowSize(window, Int32(width), Int32(height))
        SDL_SetWindowPosition(
            window, room.x + left + (Int32(limit.width) - Int32(size.width)) / 2,
            room.y + top + (Int32(limit.height) - Int32(size.height)) / 2)
    }

    static var sdlError: String { String(cString: SDL_GetError()) }
}

extension PixelRect {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
