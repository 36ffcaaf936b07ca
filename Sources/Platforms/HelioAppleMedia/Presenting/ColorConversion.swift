package import HelioCore
internal import HelioWindow

/// The conversion from a picture's samples to RGB, in a shader's range 0 ... 1.
///
/// `rgb = matrix · (sample − offset)`, where a sample is (Y, Cb, Cr) as read from the texture, byte / 255. Matrix and
/// range are those of the stream. Limited range is expanded (255/219 for luma, 255/224 for chroma), which the constants
/// of requirement row 56 leave out (requirements, defect 5).
package struct ColorConversion: Sendable, Hashable {
    /// The matrix's columns: the RGB contributions of one unit of Y, Cb and Cr.
    package let luma: SIMD3<Float>
    package let cb: SIMD3<Float>
    package let cr: SIMD3<Float>
    package let offset: SIMD3<Float>

    /// Makes the conversion for a picture; uses BT.709 if `PictureColor` does not support its colour description.
    package init(_ picture: PictureDescription) {
        let weights = PictureColor.weights(of: picture.color, size: picture.size) ?? .bt709
        let isFull = picture.color.isFullRange
        let (lumaScale, colorScale) = isFull ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
        let green = 1 - weights.red - weights.blue
        let red = 2 * (1 - weights.red) * colorScale
        let blue = 2 * (1 - weights.blue) * colorScale
        luma = SIMD3(repeating: Float(lumaScale))
        cb = SIMD3(0, Float(-blue * weights.blue / green), Float(blue))
        cr = SIMD3(Float(red), Float(-red * weights.red / green), 0)
        offset = SIMD3(isFull ? 0 : 16.0 / 255, 128.0 / 255, 128.0 / 255)
    }

    /// Returns RGB of a sample, clamped to 0 ... 1, as the shader computes it.
    package func rgb(of sample: SIMD3<Float>) -> SIMD3<Float> {
        let centred = sample - offset
        let color = luma * centred.x + cb * centred.y + cr * centred.z
        return color.clamped(lowerBound: .zero, upperBound: .one)
    }

    /// The shader's argument: the three columns and the offset, each padded to 4 floats.
    package var uniforms: [SIMD4<Float>] {
        [luma, cb, cr, offset].map { SIMD4($0, 0) }
    }
}
