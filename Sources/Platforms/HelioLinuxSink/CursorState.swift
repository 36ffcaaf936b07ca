internal import CSDL2
internal import HelioCore

/// The host's pointer, as it is known here.
struct CursorState {
    /// The shape; `nil` = the host shows none.
    var shape: CursorShape?
    /// Whether the host has told a shape, or that there is none.
    var isKnown = false
    /// Its place in the host's picture.
    var position: (x: Int, y: Int)?

    /// The shape as this machine's own pointer.
    var local: OpaquePointer?
    /// The shape drawn over the picture, while it is.
    var layer: OverlayLayer?
    /// The shape at the picture's scale, with its hot spot.
    var scaled: ScaledCursor?

    mutating func release() {
        layer = nil
        scaled = nil
        if let local { SDL_FreeCursor(local) }
        local = nil
    }
}

/// A pointer's shape at the scale of the picture.
struct ScaledCursor {
    var hotspotX: Int
    var hotspotY: Int
    var size: PixelSize
    /// Red, green, blue, alpha; not premultiplied.
    var rgba: [UInt8]

    /// `nil` for a shape without pixels, or with fewer than it says.
    init?(_ shape: CursorShape, scaleX: Double, scaleY: Double) {
        let source = shape.size
        guard source.width > 0, source.height > 0, source.width <= 1024, source.height <= 1024,
            shape.rgba.count >= source.area * 4
        else { return nil }
        let width = min(2048, max(1, Int((Double(source.width) * scaleX).rounded())))
        let height = min(2048, max(1, Int((Double(source.height) * scaleY).rounded())))
        size = PixelSize(width: width, height: height)
        hotspotX = min(width - 1, max(0, shape.hotspotX * width / source.width))
        hotspotY = min(height - 1, max(0, shape.hotspotY * height / source.height))
        if size == source {
            rgba = shape.rgba
            return
        }
        // Averages (or, larger, repeats) whole areas with their alpha as weight, so that no dark rim appears.
        rgba = []
        rgba.reserveCapacity(size.area * 4)
        for y in 0..<height {
            let top = y * source.height / height
            let rows = top..<max(top + 1, (y + 1) * source.height / height)
            for x in 0..<width {
                let first = x * source.width / width
                let columns = first..<max(first + 1, (x + 1) * source.width / width)
                var sum = (r: 0, g: 0, b: 0, a: 0)
                for row in rows {
                    for column in columns {
                        let at = (row * source.width + column) * 4
                        let alpha = Int(shape.rgba[at + 3])
                        sum.r += Int(shape.rgba[at]) * alpha
                        sum.g += Int(shape.rgba[at + 1]) * alpha
                        sum.b += Int(shape.rgba[at + 2]) * alpha
                        sum.a += alpha
                    }
                }
                let weight = max(1, sum.a)
                rgba.append(UInt8(sum.r / weight))
                rgba.append(UInt8(sum.g / weight))
                rgba.append(UInt8(sum.b / weight))
                rgba.append(UInt8(sum.a / (rows.count * columns.count)))
            }
        }
    }

    /// A surface of its own with the pixels.
    func makeSurface() -> UnsafeMutablePointer<SDL_Surface>? {
        let width = Int32(size.width)
        let format = SDL_PIXELFORMAT_ABGR8888.rawValue  // red first in memory on little-endian machines
        guard let surface = SDL_CreateRGBSurfaceWithFormat(0, width, Int32(size.height), 32, format) else { return nil }
        rgba.withUnsafeBytes { bytes in
            for row in 0..<size.height {
                (surface.pointee.pixels + row * Int(surface.pointee.pitch)).copyMemory(
                    from: bytes.baseAddress! + row * size.width * 4, byteCount: size.width * 4)
            }
        }
        SDL_SetSurfaceBlendMode(surface, SDL_BLENDMODE_BLEND)
        return surface
    }
}
