package import HelioAppleMedia
package import HelioCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Paints known pictures, and measures the differences of other pictures from them.
///
/// The still parts are painted once for each size, colour description and rotation.
package final class KnownPictures: Sendable {
    private struct Ground: Hashable {
        var size: PixelSize
        var color: ColorDescription?
        var turn: PictureRotation
    }

    private let grounds = Mutex<[Ground: FakePixels]>([:])

    package init() {}

    /// Returns a 4:2:0 picture in planes.
    ///
    /// - Parameter turn: the clockwise rotation that makes the picture upright; `.none` unless it was captured
    ///   sideways.
    package func planes(
        _ picture: KnownPicture, _ color: ColorDescription, needing turn: PictureRotation = .none
    ) -> FakePixels {
        paint(picture, color, turn)
    }

    /// Returns an upright picture in BGRA.
    package func bgra(_ picture: KnownPicture) -> FakePixels { paint(picture, nil, .none) }

    private func paint(_ picture: KnownPicture, _ color: ColorDescription?, _ turn: PictureRotation) -> FakePixels {
        let key = Ground(size: picture.size, color: color, turn: turn)
        let ground = grounds.withLock { grounds in
            if let ground = grounds[key] { return ground }
            let layout: FakePixels.Layout =
                color.map { .planes(SampleFormat(chroma: .yuv420, isFullRange: $0.isFullRange)) } ?? .bgra
            let pixels = FakePixels(turn.turned(picture.size), layout)
            pixels.paint(picture.still, of: picture.size, color, turn)
            grounds[key] = pixels
            return pixels
        }
        let pixels = FakePixels(ground)
        pixels.paint(picture.moving, of: picture.size, color, turn)
        return pixels
    }

    /// The number that a picture shows; `nil` if it is unreadable.
    package func number(in pixels: FakePixels) -> Int? {
        var number = 0
        for cell in KnownPicture(pixels.size, number: 0).cells {
            let (left, right) = (pixels.meanLuma(within: cell.left), pixels.meanLuma(within: cell.right))
            guard abs(left - right) > 60 else { return nil }
            number = number * 2 + (left > right ? 1 : 0)
        }
        return number
    }

    /// The peak signal-to-noise ratio of a picture's luma against a known picture's, in dB; 100 if they are equal.
    ///
    /// - Parameter columns: the number of pixels by which the known picture is moved to the right before the
    ///   comparison.
    package func luma(
        of pixels: FakePixels, against picture: KnownPicture, _ color: ColorDescription, movedBy columns: Int = 0
    ) -> Double {
        guard pixels.size == picture.size else { return 0 }
        let known = planes(picture, color)
        var sum = 0
        let width = picture.size.width - columns
        for y in 0..<picture.size.height {
            let (a, b) = (pixels.first + y * pixels.firstStride + columns, known.first + y * known.firstStride)
            for x in 0..<width {
                let difference = Int(a[x]) - Int(b[x])
                sum += difference * difference
            }
        }
        return Self.decibels(Double(sum) / Double(width * picture.size.height))
    }

    /// The largest error of any channel in the middle of any patch, in steps of 1/255.
    ///
    /// - Parameter rgb: returns the colour in the middle of a rectangle as the viewer shows it, 0 ... 1.
    package func worstPatch(of picture: KnownPicture, _ rgb: (PixelRect) -> SIMD3<Double>) -> Double {
        picture.patches.map { $0.color.difference(from: rgb($0.rect.middle)) }.max() ?? .infinity
    }

    package static func decibels(_ meanSquareError: Double) -> Double {
        meanSquareError == 0 ? 100 : 10 * log10(65_025 / meanSquareError)
    }
}

extension PixelRect {
    /// The 8x8 pixels in the middle of the rectangle, at even coordinates.
    package var middle: PixelRect {
        PixelRect(x: (x + width / 2 - 4) & ~1, y: (y + height / 2 - 4) & ~1, width: 8, height: 8)
    }
}
