import Foundation
import HelioAppleMedia
import VideoToolbox

extension PictureRotation {
    /// VideoToolbox's name of the turn.
    var name: CFString {
        switch self {
        case .none: kVTRotation_0
        case .quarter: kVTRotation_CW90
        case .half: kVTRotation_180
        case .threeQuarters: kVTRotation_CCW90
        }
    }
}
