import Foundation
import HelioAppleMedia
import VideoToolbox

extension PictureRotation {
    /// VideoToolbox's constant for the rotation.
    var name: CFString {
        switch self {
        case .none: kVTRotation_0
        case .quarter: kVTRotation_CW90
        case .half: kVTRotation_180
        case .threeQuarters: kVTRotation_CCW90
        }
    }
}
