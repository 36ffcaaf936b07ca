internal import CSDL2
internal import HelioCore

/// A pointer's shape in memory shared with the compositor, shown with as many of the screen's pixels as it has. SDL
/// would show it with as many points.
final class WaylandCursor {
    private let memory: UnsafeMutablePointer<helio_wayland_buffer>
    private let window: WaylandWindow
    private let size: PixelSize
    private let points: PixelSize
    /// The hotspot in points.
    private let hotspot: (x: Int, y: Int)

    /// `nil` if there is no memory left.
    init?(_ scaled: ScaledCursor, of window: WaylandWindow, pixelsPerPoint scale: Double) {
        let size = scaled.shape.size
        guard let memory = helio_wayland_buffer_open(window.handle, Int32(size.width), Int32(size.height), 1) else {
            return nil
        }
        self.memory = memory
        self.window = window
        self.size = size
        func inPoints(_ length: Int) -> Int { Int((Double(length) / scale).rounded()) }
        points = PixelSize(width: max(1, inPoints(size.width)), height: max(1, inPoints(size.height)))
        hotspot = (inPoints(scaled.hotspotX), inPoints(scaled.hotspotY))
        // Compositors want B, G, R, A, each colour multiplied by alpha.
        scaled.shape.rgba.withUnsafeBytes { bytes in
            for pixel in 0..<size.area {
                let alpha = UInt16(bytes[pixel * 4 + 3])
                func color(_ channel: Int) -> UInt8 { UInt8((UInt16(bytes[pixel * 4 + channel]) * alpha + 127) / 255) }
                let target = memory.pointee.pixels + pixel * 4
                (target[0], target[1], target[2], target[3]) = (color(2), color(1), color(0), UInt8(alpha))
            }
        }
    }

    deinit { helio_wayland_buffer_close(memory) }

    /// Gives the pointer this shape while it is over the window.
    func show() {
        helio_wayland_set_cursor(
            window.handle, memory, Int32(size.width), Int32(size.height), Int32(points.width), Int32(points.height),
            Int32(hotspot.x), Int32(hotspot.y))
        _ = helio_wayland_flush(window.handle)
    }
}
