package import HelioCore

/// A display as the system lists it.
package struct DisplayInfo: Sendable, Hashable {
    /// Its number, `CGDirectDisplayID`.
    package var number: UInt32
    package var name: String
    /// Its place on the desktop in points: the origin is the main display's top left corner, y goes down.
    package var frame: FrameRect
    /// Its pixels; not those of its points.
    package var pixels: PixelSize
    package var isMain: Bool

    package init(number: UInt32, name: String, frame: FrameRect, pixels: PixelSize, isMain: Bool) {
        self.number = number
        self.name = name
        self.frame = frame
        self.pixels = pixels
        self.isMain = isMain
    }

    /// The same as a monitor; `nil` for one that can't be captured: too small, or of no sensible place.
    ///
    /// Its place is its points by its scale, the size is that of its pixels, even.
    package var monitor: ScreenMonitor? {
        let (x, y) = (frame.x, frame.y)
        guard pixels.width >= 16, pixels.height >= 16, pixels.width <= 16384, pixels.height <= 16384, frame.width >= 1,
            frame.width.isFinite, abs(x) < 1e6, abs(y) < 1e6
        else { return nil }
        let scale = min(16, max(1.0 / 16, Double(pixels.width) / frame.width))
        let rect = PixelRect(
            x: Int((x * scale).rounded()), y: Int((y * scale).rounded()), width: pixels.width & ~1,
            height: pixels.height & ~1)
        return ScreenMonitor(id: String(number), name: name, rect: rect, isPrimary: isMain, scale: scale)
    }
}

extension MonitorLayout {
    /// The layout of displays; `nil` where none can be captured.
    ///
    /// - Parameter wanted: the id of the one to capture; the main one, or else the first, is while it is not there.
    package init?(displays: [DisplayInfo], wanted: ScreenMonitor.ID?) {
        let monitors = displays.compactMap(\.monitor)
        guard
            let selected = monitors.first(where: { $0.id == wanted }) ?? monitors.first(where: \.isPrimary)
                ?? monitors.first
        else { return nil }
        self.init(monitors, selected: selected)
    }

    /// The id of the monitor that a person names, by id, name or place in the list; `nil` for `nil`.
    ///
    /// Throws `invalidArgument`, naming the choices.
    package func id(named wanted: String?) throws(HelioError) -> ScreenMonitor.ID? {
        guard let wanted else { return nil }
        if let found = monitors.first(where: { $0.id == wanted || $0.name == wanted }) { return found.id }
        if let place = Int(wanted), monitors.indices.contains(place) { return monitors[place].id }
        return try monitor(wanted).id
    }
}
