import HelioCore

extension DrawnPointer {
    /// Blends the pointer over pixels of the screen.
    ///
    /// - Parameters:
    ///   - pixels: BGRX, in the capture's own memory: written although the type is immutable, as no other code reads
    ///     it.
    ///   - stride: the distance of rows, in bytes.
    ///   - rect: the part of the screen that the pixels show.
    func blend(into pixels: UnsafePointer<UInt8>, stride: Int, of rect: PixelRect) {
        let own = self.rect
        let part = own.intersection(rect)
        if part.isEmpty || shape.rgba.count < shape.size.area * 4 { return }
        let target = UnsafeMutablePointer(mutating: pixels)
        for y in part.y..<part.maxY {
            var from = ((y - own.y) * own.width + part.x - own.x) * 4
            var to = (y - rect.y) * stride + (part.x - rect.x) * 4
            for _ in 0..<part.width {
                let alpha = Int(shape.rgba[from + 3])
                if alpha > 0 {
                    for (channel, offset) in [(0, 2), (1, 1), (2, 0)] {
                        let below = Int(target[to + offset])
                        let above = Int(shape.rgba[from + channel])
                        target[to + offset] = UInt8((above * alpha + below * (255 - alpha) + 127) / 255)
                    }
                }
                from += 4
                to += 4
            }
        }
    }
}
