import Foundation
import HelioAppleMedia
import VideoToolbox

extension CompressionSpecification {
    /// The specification of an encoder, as VideoToolbox takes it.
    var dictionary: CFDictionary {
        [
            kVTVideoEncoderSpecification_EnableLowLatencyRateControl: isLowLatency,
            kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: coder != .software,
            kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: coder == .hardware,
        ] as CFDictionary
    }
}
