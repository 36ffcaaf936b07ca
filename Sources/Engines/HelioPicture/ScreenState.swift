package import HelioCore

/// What a screen says of itself: its monitors and its size.
package struct ScreenState: Sendable, Hashable {
    package var layout: MonitorLayout
    /// The size that is captured of the selected monitor; even in both directions.
    package var size: PixelSize
    /// The part of `size` that the screen really has.
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
