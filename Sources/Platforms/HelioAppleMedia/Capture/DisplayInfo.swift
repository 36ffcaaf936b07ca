package import HelioCore

/// A display that the system lists, or a window that is captured like a display.
package struct DisplayInfo: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case display
        /// A window by itself, without the windows that cover it.
        case window
    }

    package var kind: Kind
    /// The system's number: `CGDirectDisplayID` or `CGWindowID`.
    package var number: UInt32
    package var name: String
    /// The frame on the desktop in points: the origin is the main display's top left corner, y increases downwards.
    package var frame: FrameRect
    /// The size in pixels, which may differ from the size in points.
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

    /// The ID as a monitor and in a stream's settings: the number, with the prefix `window-` for a window.
    package var id: ScreenMonitor.ID { kind == .display ? String(number) : Self.id(ofWindow: number) }

    package static func id(ofWindow number: UInt32) -> ScreenMonitor.ID { windowPrefix + String(number) }

    static let windowPrefix = "window-"

    /// The display as a monitor; `nil` if it can't be captured, as it is too small or too large, or its frame is
    /// invalid.
    ///
    /// The monitor's position is the position in points times the scale; its size is the size in pixels, rounded down
    /// to even sides.
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
    /// Makes the layout of the displays, or of the captured window; `nil` if it would be empty.
    ///
    /// The layout of a captured window is that window alone, and `nil` once the window is closed. The layout of a
    /// captured display has all displays but no windows, so that viewers do not see the windows' titles.
    ///
    /// - Parameter wanted: the ID of the display or window to capture. If that display is missing, the main display is
    ///   selected, or else the first one.
    package init?(displays: [DisplayInfo], wanted: ScreenMonitor.ID?) {
        let isWindow = wanted?.hasPrefix(DisplayInfo.windowPrefix) ?? false
        let monitors = displays.filter { isWindow ? $0.id == wanted : $0.kind == .display }.compactMap(\.monitor)
        guard
            let selected = monitors.first(where: { $0.id == wanted }) ?? monitors.first(where: \.isPrimary)
                ?? monitors.first
        else { return nil }
        self.init(monitors, selected: selected)
    }

    /// Returns the ID of the display or window that the user names by ID, name or index in the list; `nil` for `nil`.
    ///
    /// Throws `invalidArgument`, with a list of the choices, if there is no such display or window.
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
