internal import CLibYUV
internal import HelioCore
internal import HelioWindow

extension PictureColor {
    /// Returns the coefficients of the conversion from YCbCr to RGB in the C code's form, in 1/8192.
    static func matrix(for description: PictureDescription) -> helio_rgb_matrix {
        let weights = weights(of: description.color, size: description.size) ?? .bt709
        let isFull = description.color.isFullRange
        let green = 1 - weights.red - weights.blue
        let colorScale = isFull ? 1.0 : 255.0 / 224
        let red = 2 * (1 - weights.red) * colorScale
        let blue = 2 * (1 - weights.blue) * colorScale
        return helio_rgb_matrix(
            luma: fixed(isFull ? 1 : 255.0 / 219), red_cr: fixed(red), green_cb: fixed(-blue * weights.blue / green),
            green_cr: fixed(-red * weights.red / green), blue_cb: fixed(blue), luma_offset: isFull ? 0 : 16)
    }

    private static func fixed(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
}
