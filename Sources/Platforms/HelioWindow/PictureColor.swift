package import HelioCore

/// The colour conversion that a picture needs.
///
/// Matrix and range come from the stream. Only if the stream signals nothing (2) a convention applies: BT.709 from 720
/// lines (or 1280 columns) up, BT.601 below; an unsignalled range is limited. Primaries and transfer are not converted:
/// a screen's content is shown by its sample values.
package enum PictureColor {
    /// The weights of red and blue in luma (ITU-T H.273, table 4); green has the remainder.
    package struct Weights: Sendable, Hashable {
        package var red: Double
        package var blue: Double

        package static let bt601 = Weights(red: 0.299, blue: 0.114)
        package static let bt709 = Weights(red: 0.2126, blue: 0.0722)
        package static let bt2020 = Weights(red: 0.2627, blue: 0.0593)
        package static let fcc = Weights(red: 0.30, blue: 0.11)
        package static let smpte240 = Weights(red: 0.212, blue: 0.087)
    }

    /// The weights; `nil` if the samples are not a supported YCbCr format (RGB = 0, YCgCo = 8, ICtCp and others).
    ///
    /// BT.2020 with constant luminance (10) is treated as non-constant.
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
