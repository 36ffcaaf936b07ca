package import HelioCore

/// A window as the system lists it, unchecked.
package struct ListedWindow: Sendable, Hashable {
    package var number: UInt32
    /// The name of the app that owns the window.
    package var owner: String
    /// The title; empty if the window has none, or the permission to read it is missing.
    package var title: String
    /// The frame on the desktop, in points.
    package var frame: FrameRect
    /// The window layer: 0 for ordinary windows; menus, the Dock and panels are in other layers.
    package var layer: Int
    /// True for a window of this process.
    package var isOwn: Bool

    package init(number: UInt32, owner: String, title: String, frame: FrameRect, layer: Int, isOwn: Bool) {
        self.number = number
        self.owner = owner
        self.title = title
        self.frame = frame
        self.layer = layer
        self.isOwn = isOwn
    }
}

extension DisplayInfo {
    /// The maximum number of windows that are offered.
    package static let mostWindows = 32
    private static let leastSide = 64.0
    private static let longestName = 80

    /// Returns the windows that can be shared by themselves, front to back: ordinary windows of other apps, at least 64
    /// points wide and high.
    package static func windows(_ listed: [ListedWindow], on displays: [DisplayInfo]) -> [DisplayInfo] {
        let offered = listed.lazy.filter { $0.layer == 0 && !$0.isOwn }.compactMap { info($0, on: displays) }
        return Array(offered.prefix(mostWindows))
    }

    private static func info(_ window: ListedWindow, on displays: [DisplayInfo]) -> DisplayInfo? {
        let (width, height) = (window.frame.width, window.frame.height)
        guard width.isFinite, height.isFinite, width >= leastSide, height >= leastSide, width <= 16384, height <= 16384
        else { return nil }
        let scale = scale(at: window.frame, on: displays)
        let name = window.title.isEmpty ? window.owner : "\(window.title) (\(window.owner))"
        return DisplayInfo(
            .window, number: window.number, name: String(name.prefix(longestName)), frame: window.frame,
            pixels: PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded())),
            isMain: false)
    }

    /// Returns the pixels per point of the display that contains a rectangle's centre, or else of the main display.
    private static func scale(at rect: FrameRect, on displays: [DisplayInfo]) -> Double {
        let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        let display =
            displays.first {
                x >= $0.frame.x && y >= $0.frame.y && x < $0.frame.x + $0.frame.width
                    && y < $0.frame.y + $0.frame.height
            } ?? displays.first(where: \.isMain)
        return display?.monitor?.scale ?? 1
    }
}

extension ScreenMonitor {
    /// True if this entry is a window and not a display, by its ID.
    package var isWindow: Bool { id.hasPrefix(DisplayInfo.windowPrefix) }
}
