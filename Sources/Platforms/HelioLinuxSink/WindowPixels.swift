internal import CSDL2
internal import HelioCore

/// The pixels of a window in memory that the X server reads, as a surface to draw on.
///
/// The server takes one part while the next is being drawn. For use on the window's thread.
final class WindowPixels {
    let size: PixelSize
    let surface: UnsafeMutablePointer<SDL_Surface>
    private let pixels: UnsafeMutablePointer<helio_window_pixels>

    /// `nil` where the window's server can't read this machine's memory, or there is no X server at all.
    init?(of window: OpaquePointer, size: PixelSize) {
        guard size.area > 0, let pixels = helio_window_pixels_open(window, Int32(size.width), Int32(size.height)) else {
            return nil
        }
        let surface = SDL_CreateRGBSurfaceWithFormatFrom(
            pixels.pointee.image.pointee.data, Int32(size.width), Int32(size.height), 32,
            pixels.pointee.image.pointee.bytes_per_line, SDL_PIXELFORMAT_RGB888.rawValue)
        guard let surface else {
            helio_window_pixels_detach(pixels)
            return nil
        }
        self.size = size
        self.surface = surface
        self.pixels = pixels
    }

    deinit {
        SDL_FreeSurface(surface)
        helio_window_pixels_detach(pixels)
    }

    /// Has the server take a part, which must not be drawn on again before `finish`.
    func put(_ rect: PixelRect) {
        if rect.isEmpty { return }
        var part = SDL_Rect(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
        helio_window_pixels_put(pixels, &part)
    }

    /// Waits until the server has taken all that was put.
    func finish() { helio_x11_sync(pixels.pointee.display) }
}
