package import HelioCore

/// A display as the system lists it, or a window that is captured like one.
package struct DisplayInfo: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case display
        /// A window by itself, wherever it lies and whatever is over it.
        case window
    }

    package var kind: Kind
    /// The system's number: `CGDirectDisplayID` or `CGWindowID`.
    package var number: UInt32
    package var name: String
    /// The place on the desktop in points: the origin is the main display's top left corner, y goes down.
    package var frame: FrameRect
    /// The size in pixels, which may differ from that in points.
    package var pixels: PixelSize
    package var isMain: Bool

    package init(
        _ kind: Kind = .display, number: UInt32, name: String, frame: FrameRect, pixels: PixelSize, isMain: Bool
    ) {
        self.kind = kind
        self.number = number
        self.name = name
        self.frame = frame
        self.pixels = pixels
        self.isMain = isMain
    }

    /// The ID as a monitor and in a stream's settings: the number; for a window, `window-` and the number.
    package var id: ScreenMonitor.ID { kind == .display ? String(number) : Self.id(ofWindow: number) }

    package static func id(ofWindow number: UInt32) -> ScreenMonitor.ID { windowPrefix + String(number) }

    static let windowPrefix = "window-"

    /// The display as a monitor; `nil` if it can't be captured: too small or too large, or with an invalid place.
    ///
    /// The monitor's place is the place in points times the scale; its size is that in pixels, rounded down to even.
    package var monitor: ScreenMonitor? {
        let (x, y) = (frame.x, frame.y)
        guard pixels.width >= 16, pixels.height >= 16, pixels.width <= 16384, pixels.height <= 16384, frame.width >= 1,
            frame.width.isFinite, abs(x) < 1e6, abs(y) < 1e6
        else { return nil }
        let scale = min(16, max(1.0 / 16, Double(pixels.width) / frame.width))
        let rect = PixelRect(
            x: Int((x * scale).rounded()), y: Int((y * scale).rounded()), width: pixels.width & ~1,
            height: pixels.height & ~1)
        return ScreenMonitor(id: id, name: name, rect: rect, isPrimary: isMain, scale: scale)
    }
}

extension MonitorLayout {
    /// Makes the layout of all that can be captured; `nil` if there is nothing.
    ///
    /// If a window is captured, the layout is that window alone, and there is none once the window is closed. If a
    /// display is captured, the layout has all displays, and no windows, so that viewers do not see their titles.
    ///
    /// - Parameter wanted: the ID of the display or window to capture. While a display is missing, the main display, or
    ///   else the first one, takes its place.
    package init?(displays: [DisplayInfo], wanted: ScreenMonitor.ID?) {
        let isWindow = wanted?.hasPrefix(DisplayInfo.windowPrefix) ?? false
        let monitors = displays.filter { isWindow ? $0.id == wanted : $0.kind == .display }.compactMap(\.monitor)
        guard
            let selected = monitors.first(where: { $0.id == wanted }) ?? monitors.first(where: \.isPrimary)
                ?? monitors.first
        else { return nil }
        self.init(monitors, selected: selected)
    }

    /// Returns the ID of the display or window that a person names by ID, name or place in the list; `nil` for `nil`.
    ///
    /// Throws `invalidArgument`, naming the choices.
    package static func id(
        named wanted: String?, among displays: [DisplayInfo]
    ) throws(HelioError) -> ScreenMonitor.ID? {
        let monitors = displays.compactMap(\.monitor)
        guard let wanted, let first = monitors.first else { return nil }
        if let found = monitors.first(where: { $0.id == wanted || $0.name == wanted }) { return found.id }
        if let place = Int(wanted), monitors.indices.contains(place) { return monitors[place].id }
        return try MonitorLayout(monitors, selected: first).monitor(wanted).id
    }
}
