internal import CSDL2
internal import HelioCore

/// A small image over the picture: a panel of text, or the host's pointer.
final class OverlayLayer {
    let surface: UnsafeMutablePointer<SDL_Surface>
    /// The position in the window, in pixels.
    var x: Int
    var y: Int

    /// Takes ownership of `surface`; `deinit` frees it.
    init(owning surface: UnsafeMutablePointer<SDL_Surface>, x: Int = 0, y: Int = 0) {
        self.surface = surface
        self.x = x
        self.y = y
    }

    deinit { SDL_FreeSurface(surface) }

    var frame: PixelRect {
        PixelRect(x: x, y: y, width: Int(surface.pointee.w), height: Int(surface.pointee.h))
    }

    /// Blends the layer over the target, within the target's clip rectangle.
    func draw(over target: UnsafeMutablePointer<SDL_Surface>) {
        _ = helio_sdl_blit(surface, target, Int32(x), Int32(y))
    }
}
