internal import CSDL2
internal import HelioCore
internal import HelioWindow

/// The parts of a window that only Wayland compositors need.
extension ViewerWindow {
    /// Shows the window for the first time, and lets the compositor give it its screen, size and scale: with its first
    /// pixels a compositor sends a size, with the first of that size the screen.
    func appear() throws(HelioError) {
        guard let wayland else { return }
        for _ in 0..<3 {
            try flush()
            helio_wayland_synchronize(wayland.handle)
            if layout.window != pixelSize { relayout() }
        }
    }

    /// The pixels of the screen per point, the unit of SDL's and the compositor's sizes and positions.
    var pixelsPerPoint: Double {
        guard let wayland else { return 1 }
        return max(1, Double(pixelSize.width) / Double(wayland.points.width))
    }

    /// The mode of scaling in effect: a picture of the window's size is shown 1:1 also where no whole number of points
    /// has exactly as many pixels.
    var shownMode: ScaleMode {
        let scale = pixelsPerPoint
        guard scaleMode == .fit, scale > 1 else { return scaleMode }
        let (window, picture, most) = (pixelSize, visiblePicture, Int(scale.rounded(.up)))
        let isNear =
            (0...most).contains(window.width - picture.width) && (0...most).contains(window.height - picture.height)
        return isNear ? .actual : .fit
    }

    /// Handles an event that the window's Wayland side has queued.
    func handleWayland(_ event: SDL_UserEvent, into events: inout [WindowEvent]) {
        guard let wayland else { return }
        switch event.code {
        case Sint32(HELIO_WAYLAND_MOVED):
            if isPointerLocked { return }
            let (size, points) = (layout.window, wayland.points)
            move(
                toX: WaylandWindow.pixel(Int(bitPattern: event.data1), pixels: size.width, points: points.width),
                y: WaylandWindow.pixel(Int(bitPattern: event.data2), pixels: size.height, points: points.height),
                into: &events)
        // SDL has set the shape that it knows of.
        case Sint32(HELIO_WAYLAND_ENTERED): updateCursor()
        case Sint32(HELIO_WAYLAND_LOCKS): tellLocks(into: &events)
        default: break
        }
    }
}
