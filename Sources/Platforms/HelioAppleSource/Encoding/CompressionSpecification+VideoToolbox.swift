import Foundation
import HelioAppleMedia
import VideoToolbox

extension CompressionSpecification {
    /// The specification of an encoder, as VideoToolbox takes it.
    var dictionary: CFDictionary {
        NSDictionary(dictionary: [
            kVTVideoEncoderSpecification_EnableLowLatencyRateControl: NSNumber(value: isLowLatency),
            kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: NSNumber(value: coder != .software),
            kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: NSNumber(value: coder == .hardware),
        ]) as CFDictionary
    }
}
