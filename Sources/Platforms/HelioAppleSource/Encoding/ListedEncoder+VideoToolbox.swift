import CoreMedia
import Foundation
import HelioAppleMedia
import HelioCore
import VideoToolbox

extension ListedEncoder {
    /// Reads an entry of VideoToolbox's list of encoders; `nil` if its codec is neither H.264 nor H.265.
    init?(_ entry: NSDictionary) {
        let type = (entry[kVTVideoEncoderList_CodecType] as? NSNumber)?.uint32Value
        guard let codec = VideoCodec.allCases.first(where: { $0.codecType == type }) else { return nil }
        let told = (entry[kVTVideoEncoderList_IsHardwareAccelerated] as? NSNumber)?.boolValue
        #if canImport(UIKit)
        self.init(codec: codec, told: told, isPhone: true)
        #else
        self.init(codec: codec, told: told, isPhone: false)
        #endif
    }
}
