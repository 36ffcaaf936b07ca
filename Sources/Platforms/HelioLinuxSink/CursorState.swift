internal import CSDL2
internal import HelioCore

/// The state of the host's pointer, as last reported.
struct CursorState {
    /// The shape; `nil` if the host shows none.
    var shape: CursorShape?
    /// True once the host has reported a shape, or that there is none.
    var isKnown = false
    /// The pointer's position in the host's picture.
    var position: (x: Int, y: Int)?

    /// The shape as an SDL cursor, for this machine's own pointer.
    var local: OpaquePointer?
    /// The shape for this machine's own pointer on a Wayland compositor, in place of `local`.
    var shared: WaylandCursor?
    /// The layer that draws the shape over the picture; `nil` while it is not drawn there.
    var layer: OverlayLayer?
    /// The shape and its hot spot, scaled like the picture.
    var scaled: ScaledCursor?

    mutating func release() {
        layer = nil
        scaled = nil
        if let local { SDL_FreeCursor(local) }
        local = nil
        shared = nil
    }
}

/// A pointer's shape, scaled like the picture.
struct ScaledCursor {
    let shape: CursorShape

    var hotspotX: Int { shape.hotspotX }
    var hotspotY: Int { shape.hotspotY }

    /// Scales a shape; `nil` if a side exceeds 1024 pixels, or the pixels are missing or too few.
    init?(_ shape: CursorShape, scaleX: Double, scaleY: Double) {
        guard shape.size.width <= 1024, shape.size.height <= 1024 else { return nil }
        let width = min(2048, max(1, Int((Double(shape.size.width) * scaleX).rounded())))
        let height = min(2048, max(1, Int((Double(shape.size.height) * scaleY).rounded())))
        guard let scaled = shape.scaled(to: PixelSize(width: width, height: height)) else { return nil }
        self.shape = scaled
    }

    /// Copies the pixels to a new surface, which the caller frees; `nil` if SDL can't allocate it.
    func makeSurface() -> UnsafeMutablePointer<SDL_Surface>? {
        let size = shape.size
        let format = SDL_PIXELFORMAT_ABGR8888.rawValue  // red first in memory on little-endian machines
        guard let surface = SDL_CreateRGBSurfaceWithFormat(0, Int32(size.width), Int32(size.height), 32, format)
        else { return nil }
        shape.rgba.withUnsafeBytes { bytes in
            for row in 0..<size.height {
                (surface.pointee.pixels + row * Int(surface.pointee.pitch)).copyMemory(
                    from: bytes.baseAddress! + row * size.width * 4, byteCount: size.width * 4)
            }
        }
        SDL_SetSurfaceBlendMode(surface, SDL_BLENDMODE_BLEND)
        return surface
    }
}
