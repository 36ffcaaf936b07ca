import HelioAppleMedia
package import HelioCore

extension FakePixels {
    /// Paints the given parts, rotated as a captured picture is.
    ///
    /// - Parameters:
    ///   - size: the picture's size, upright.
    ///   - color: the samples' colour description; `nil` for BGRA.
    ///   - turn: the rotation that makes the painted picture upright.
    func paint(_ parts: [KnownPicture.Part], of size: PixelSize, _ color: ColorDescription?, _ turn: PictureRotation) {
        for part in parts {
            let rect = part.rect.captured(of: size, needing: turn)
            if let color { fill(rect, part.color.samples(color)) } else { fill(rect, part.color) }
        }
    }

    private func fill(_ rect: PixelRect, _ samples: (luma: UInt8, cb: UInt8, cr: UInt8)) {
        for y in rect.y..<rect.maxY {
            (first + y * firstStride + rect.x).update(repeating: samples.luma, count: rect.width)
        }
        // Parts at odd coordinates are grey on grey, so chroma is unchanged.
        guard (rect.x | rect.y | rect.width | rect.height) & 1 == 0, rect.height > 0 else { return }
        let row = chroma + rect.y / 2 * chromaStride + rect.x
        for x in stride(from: 0, to: rect.width, by: 2) { (row[x], row[x + 1]) = (samples.cb, samples.cr) }
        for y in 1..<max(1, rect.height / 2) { (row + y * chromaStride).update(from: row, count: rect.width) }
    }

    private func fill(_ rect: PixelRect, _ color: KnownColor) {
        let row = first + rect.y * firstStride + rect.x * 4
        for x in 0..<rect.width {
            (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (color.blue, color.green, color.red, 255)
        }
        for y in 1..<max(1, rect.height) { (row + y * firstStride).update(from: row, count: rect.width * 4) }
    }

    /// The mean luma of a rectangle.
    func meanLuma(within rect: PixelRect) -> Double {
        var sum = 0
        for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX { sum += Int(first[y * firstStride + x]) }
        }
        return Double(sum) / Double(max(1, rect.area))
    }

    /// The mean Y', Cb and Cr (4:2:0) of a rectangle with even coordinates, 0 ... 1.
    package func meanSample(within rect: PixelRect) -> SIMD3<Double> {
        var (cb, cr) = (0, 0)
        for y in rect.y / 2..<rect.maxY / 2 {
            for x in rect.x / 2..<rect.maxX / 2 {
                cb += Int(chroma[y * chromaStride + x * 2])
                cr += Int(chroma[y * chromaStride + x * 2 + 1])
            }
        }
        let count = Double(max(1, rect.area / 4))
        return SIMD3(meanLuma(within: rect), Double(cb) / count, Double(cr) / count) / 255
    }
}

extension PixelRect {
    /// The rectangle's position in a picture that a clockwise `turn` makes upright.
    ///
    /// - Parameter size: the size of the upright picture.
    func captured(of size: PixelSize, needing turn: PictureRotation) -> PixelRect {
        switch turn {
        case .none: self
        case .quarter: PixelRect(x: y, y: size.width - maxX, width: height, height: width)
        case .half: PixelRect(x: size.width - maxX, y: size.height - maxY, width: width, height: height)
        case .threeQuarters: PixelRect(x: size.height - maxY, y: x, width: height, height: width)
        }
    }
}
