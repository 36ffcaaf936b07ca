import HelioAppleMedia
import HelioCore
import Testing

@Suite("Colour conversion")
struct ColorConversionTests {
    /// The samples of a saturated colour by the standards' tables of colour bars, rounded.
    struct Patch: Sendable {
        var matrix: UInt8
        var isFullRange: Bool
        var rgb: SIMD3<Float>
        var sample: SIMD3<Float>
    }

    static let patches: [Patch] = [
        // BT.601, limited range.
        Patch(matrix: 6, isFullRange: false, rgb: [1, 1, 1], sample: [235, 128, 128]),
        Patch(matrix: 6, isFullRange: false, rgb: [0, 0, 0], sample: [16, 128, 128]),
        Patch(matrix: 6, isFullRange: false, rgb: [1, 0, 0], sample: [81, 90, 240]),
        Patch(matrix: 6, isFullRange: false, rgb: [0, 1, 0], sample: [145, 54, 34]),
        Patch(matrix: 6, isFullRange: false, rgb: [0, 0, 1], sample: [41, 240, 110]),
        Patch(matrix: 6, isFullRange: false, rgb: [1, 1, 0], sample: [210, 16, 146]),
        // BT.709, limited range.
        Patch(matrix: 1, isFullRange: false, rgb: [1, 0, 0], sample: [63, 102, 240]),
        Patch(matrix: 1, isFullRange: false, rgb: [0, 1, 0], sample: [173, 42, 26]),
        Patch(matrix: 1, isFullRange: false, rgb: [0, 0, 1], sample: [32, 240, 118]),
        Patch(matrix: 1, isFullRange: false, rgb: [1, 1, 0], sample: [219, 16, 138]),
        // BT.601, full range, as in JFIF.
        Patch(matrix: 6, isFullRange: true, rgb: [1, 1, 1], sample: [255, 128, 128]),
        Patch(matrix: 6, isFullRange: true, rgb: [0, 1, 0], sample: [150, 44, 21]),
        Patch(matrix: 6, isFullRange: true, rgb: [1, 0, 1], sample: [105, 212, 235]),
        // BT.709, full range.
        Patch(matrix: 1, isFullRange: true, rgb: [0, 0, 0], sample: [0, 128, 128]),
        Patch(matrix: 1, isFullRange: true, rgb: [0, 1, 0], sample: [182, 30, 12]),
    ]

    @Test("known patches come out as they went in, with the scale of their range (defect 5)", arguments: patches)
    func known(patch: Patch) {
        let color = ColorDescription(primaries: 2, transfer: 2, matrix: patch.matrix, isFullRange: patch.isFullRange)
        let size = PixelSize(width: 64, height: 64)
        let conversion = ColorConversion(PictureDescription(size: size, chroma: .yuv420, color: color))
        let difference = conversion.rgb(of: patch.sample / 255) - patch.rgb
        #expect(abs(difference.x) < 0.012 && abs(difference.y) < 0.012 && abs(difference.z) < 0.012, "\(difference)")
    }

    @Test("a stream that says nothing is BT.601 below 720 lines and BT.709 from there")
    func silent() {
        func conversion(_ size: PixelSize, _ color: ColorDescription) -> ColorConversion {
            ColorConversion(PictureDescription(size: size, chroma: .yuv420, color: color))
        }
        let (small, large) = (PixelSize(width: 854, height: 480), PixelSize(width: 1280, height: 720))
        #expect(conversion(small, .unspecified) == conversion(small, .bt601))
        #expect(conversion(large, .unspecified) == conversion(large, .bt709))
        #expect(conversion(large, .bt601) != conversion(large, .bt709))
    }
}
