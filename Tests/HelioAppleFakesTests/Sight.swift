#if canImport(HelioLinuxSink)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
@testable import HelioLinuxSink

/// A picture at a viewer: its samples, their assumed format, and the displayed colours.
struct Sight {
    let pixels: FakePixels
    let description: PictureDescription
    /// Returns the mean colour in a rectangle, 0 ... 1, by the viewer's own conversion.
    let rgb: (PixelRect) -> SIMD3<Double>

    /// Returns the colours that a viewer would display if it assumed another colour description.
    func rgb(takingFor color: ColorDescription) -> (PixelRect) -> SIMD3<Double> {
        let conversion = ColorConversion(
            PictureDescription(size: description.size, chroma: description.chroma, color: color))
        return { SIMD3<Double>(conversion.rgb(of: SIMD3<Float>(pixels.meanSample(within: $0)))) }
    }
}

/// A decoded picture whose samples and colours tests can inspect.
protocol Seen: DecodedImaging {
    var sight: Sight? { get }
}

extension DecompressedPicture: Seen where Buffer == FakePixels {
    /// Converts with the parameters that Apple's shader gets.
    var sight: Sight? {
        let conversion = ColorConversion(description)
        return Sight(pixels: buffer, description: description) { [buffer] in
            SIMD3<Double>(conversion.rgb(of: SIMD3<Float>(buffer.meanSample(within: $0))))
        }
    }
}

extension DecodedPicture: Seen {
    /// Converts as the Linux viewer's window does.
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
