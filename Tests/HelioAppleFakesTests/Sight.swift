#if canImport(HelioLinuxSink)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
@testable import HelioLinuxSink

/// A picture as a viewer has it: its samples, what it takes them for, and the colours that it shows.
struct Sight {
    let pixels: FakePixels
    let description: PictureDescription
    /// Gives the colour in a rectangle as the viewer's own conversion makes it, 0 ... 1.
    let rgb: (PixelRect) -> SIMD3<Double>

    /// The colours that a viewer would show who takes the samples for something else.
    func rgb(takingFor color: ColorDescription) -> (PixelRect) -> SIMD3<Double> {
        let conversion = ColorConversion(
            PictureDescription(size: description.size, chroma: description.chroma, color: color))
        return { SIMD3<Double>(conversion.rgb(of: SIMD3<Float>(pixels.meanSample(within: $0)))) }
    }
}

/// A decoder's picture that can be looked at.
protocol Seen: DecodedImaging {
    var sight: Sight? { get }
}

extension DecompressedPicture: Seen where Buffer == FakePixels {
    /// By the numbers that Apple's shader is given.
    var sight: Sight? {
        let conversion = ColorConversion(description)
        return Sight(pixels: buffer, description: description) { [buffer] in
            SIMD3<Double>(conversion.rgb(of: SIMD3<Float>(buffer.meanSample(within: $0))))
        }
    }
}

extension DecodedPicture: Seen {
    /// By the conversion of the Linux viewer's window.
    var sight: Sight? {
        guard let pixels = FakePixels(self) else { return nil }
        return Sight(pixels: pixels, description: description) { [self] rect in
            let image = PixelImage(size: rect.size)
            PictureConverter.convert(self, rect, to: image.pixels, stride: image.stride)
            var sum = SIMD3<Double>.zero
            for y in 0..<rect.height {
                for x in 0..<rect.width {
                    let pixel = image.at(x, y)
                    sum += SIMD3(Double(pixel[2]), Double(pixel[1]), Double(pixel[0]))
                }
            }
            return sum / Double(rect.area * 255)
        }
    }
}
#endif
