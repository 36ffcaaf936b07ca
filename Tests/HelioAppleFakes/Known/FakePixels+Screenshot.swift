#if os(Linux)
package import HelioCore
package import HelioTestPrograms

extension FakePixels {
    /// A copy of a BGRA picture as a screenshot.
    package var screenshot: Screenshot {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            bytes += UnsafeBufferPointer(start: first + y * firstStride, count: size.width * 4)
        }
        return Screenshot(size: size, bgrx: bytes)
    }
}

extension Screenshot {
    /// The mean colour of a rectangle, 0 ... 1.
    package func color(in rect: PixelRect) -> SIMD3<Double> {
        var sum = SIMD3<Double>.zero
        for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX {
                let (red, green, blue) = color(x: x, y: y)
                sum += SIMD3(Double(red), Double(green), Double(blue))
            }
        }
        return sum / Double(max(1, rect.area) * 255)
    }
}
#endif
