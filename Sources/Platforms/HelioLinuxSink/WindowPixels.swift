internal import CSDL2
internal import HelioCore

/// The pixels of an X server's window, or of another window system's by SDL.
///
/// The X server copies one part while the next part is drawn, if it can use shared memory; otherwise SDL sends all
/// parts in `finish`, which waits until they are on the screen.
final class WindowPixels: PixelTarget {
    let size: PixelSize
    private let window: OpaquePointer
    /// The memory shared with the server; `nil` if SDL's own surface is used.
    private let shared: (pixels: UnsafeMutablePointer<helio_window_pixels>, surface: UnsafeMutablePointer<SDL_Surface>)?
    /// The drawn parts that SDL sends to the screen in `finish`; empty with shared memory.
    private var parts: [SDL_Rect] = []

    /// - Parameter size: the window's size, in pixels. The window must outlive this object.
    init(of window: OpaquePointer, size: PixelSize) {
        self.window = window
        self.size = size
        shared = Self.share(window, size)
    }

    deinit {
        guard let shared else { return }
        SDL_FreeSurface(shared.surface)
        helio_window_pixels_detach(shared.pixels)
    }

    private static func share(
        _ window: OpaquePointer, _ size: PixelSize
    ) -> (UnsafeMutablePointer<helio_window_pixels>, UnsafeMutablePointer<SDL_Surface>)? {
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
        return (pixels, surface)
    }

    var surface: UnsafeMutablePointer<SDL_Surface>? {
        if let shared { return shared.surface }
        guard let surface = SDL_GetWindowSurface(window), let format = surface.pointee.format?.pointee,
            format.BytesPerPixel == 4, format.Rmask == 0xFF_0000, format.Bmask == 0xFF
        else { return nil }
        return surface
    }

    func prepare(for rects: [PixelRect]) {}

    func put(_ rect: PixelRect) {
        if rect.isEmpty { return }
        var part = SDL_Rect(rect)
        if let shared { helio_window_pixels_put(shared.pixels, &part) } else { parts.append(part) }
    }

    func finish() -> Bool {
        if let shared {
            helio_x11_sync(shared.pixels.pointee.x.display)
            return true
        }
        defer { parts.removeAll(keepingCapacity: true) }
        return SDL_UpdateWindowSurfaceRects(window, parts, Int32(parts.count)) == 0
    }
}

extension SDL_Rect {
    init(_ rect: PixelRect) {
        self.init(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
    }
}
