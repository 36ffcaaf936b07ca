package import HelioCore

/// The state that a screen reports: its monitors, its size, and whether it is switched off.
package struct ScreenState: Sendable, Hashable {
    package var layout: MonitorLayout
    /// The captured size of the selected monitor, in pixels; both sides are even.
    package var size: PixelSize
    /// The selected monitor's own size, in pixels, which may have odd sides.
    package var shown: PixelSize
    /// True while all outputs of the display are switched off.
    package var isOff: Bool

    package init(layout: MonitorLayout, size: PixelSize, shown: PixelSize, isOff: Bool = false) {
        self.layout = layout
        self.size = size
        self.shown = shown
        self.isOff = isOff
    }

    package init(_ screen: some ScreenCapturing) {
        self.init(layout: screen.layout, size: screen.size, shown: screen.shownSize, isOff: screen.isOff)
    }
}
