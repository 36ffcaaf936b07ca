/// A monitor that can be captured.
package struct ScreenMonitor: Identifiable, Hashable, Sendable {
    /// The monitor's permanent name, the same after it is unplugged and plugged in again: RandR's name on X, the
    /// display's number on macOS.
    package var id: String
    /// The name for people.
    package var name: String
    /// The rectangle on the desktop, in the monitor's own pixels: on X, pixels of the root window; on macOS, the
    /// desktop's points times `scale`.
    package var rect: PixelRect
    package var isPrimary: Bool
    /// The number of pixels per point.
    package var scale: Double

    package init(id: String, name: String, rect: PixelRect, isPrimary: Bool, scale: Double = 1) {
        self.id = id
        self.name = name
        self.rect = rect
        self.isPrimary = isPrimary
        self.scale = scale
    }
}
