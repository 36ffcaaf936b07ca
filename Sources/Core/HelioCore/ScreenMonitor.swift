/// A monitor that can be captured.
package struct ScreenMonitor: Identifiable, Hashable, Sendable {
    /// The monitor's name while it is there, and again when it is plugged in again: RandR's name on X, the display's
    /// number on macOS.
    package var id: String
    /// The name for people.
    package var name: String
    /// Its place on the desktop, in its own pixels: those of X's root window; on macOS, the desktop's points by
    /// `scale`.
    package var rect: PixelRect
    package var isPrimary: Bool
    /// The number of pixels a point.
    package var scale: Double

    package init(id: String, name: String, rect: PixelRect, isPrimary: Bool, scale: Double = 1) {
        self.id = id
        self.name = name
        self.rect = rect
        self.isPrimary = isPrimary
        self.scale = scale
    }
}
