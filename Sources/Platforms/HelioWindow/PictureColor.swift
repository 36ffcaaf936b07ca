package import HelioCore

/// Chooses the colour conversion of a picture.
///
/// Matrix and range are those of the stream. If the matrix is unspecified (2), a convention applies: BT.709 from 720
/// lines or 1280 columns on, otherwise BT.601; an unspecified range is limited. Primaries and transfer are not
/// converted, so a screen's content keeps its RGB values.
package enum PictureColor {
    /// The weights of red and blue in luma (ITU-T H.273, table 4); the weight of green is the remainder to 1.
    package struct Weights: Sendable, Hashable {
        package var red: Double
        package var blue: Double

        package static let bt601 = Weights(red: 0.299, blue: 0.114)
        package static let bt709 = Weights(red: 0.2126, blue: 0.0722)
        package static let bt2020 = Weights(red: 0.2627, blue: 0.0593)
        package static let fcc = Weights(red: 0.30, blue: 0.11)
        package static let smpte240 = Weights(red: 0.212, blue: 0.087)
    }

    /// Returns the weights for a matrix; `nil` if it is not supported (such as RGB = 0, YCgCo = 8 and ICtCp).
    ///
    /// BT.2020 with constant luminance (10) is treated like that with non-constant luminance.
    package static func weights(of color: ColorDescription, size: PixelSize) -> Weights? {
        switch color.matrix {
        case 1: .bt709
        case 2, 3: size.height >= 720 || size.width >= 1280 ? .bt709 : .bt601
        case 4: .fcc
        case 5, 6: .bt601
        case 7: .smpte240
        case 9, 10: .bt2020
        default: nil
        }
    }
}
