import CoreVideo
import Foundation
import HelioAppleMedia

extension CompressionColor.Primaries {
    var name: CFString {
        switch self {
        case .bt709: kCVImageBufferColorPrimaries_ITU_R_709_2
        case .smpteC: kCVImageBufferColorPrimaries_SMPTE_C
        }
    }
}

extension CompressionColor.Transfer {
    var name: CFString {
        switch self {
        case .bt709: kCVImageBufferTransferFunction_ITU_R_709_2
        case .sRGB: kCVImageBufferTransferFunction_sRGB
        }
    }
}

extension CompressionColor.Matrix {
    var name: CFString {
        switch self {
        case .bt709: kCVImageBufferYCbCrMatrix_ITU_R_709_2
        case .bt601: kCVImageBufferYCbCrMatrix_ITU_R_601_4
        }
    }
}
