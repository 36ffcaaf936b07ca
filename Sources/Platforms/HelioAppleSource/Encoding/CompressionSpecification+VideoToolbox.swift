import Foundation
import HelioAppleMedia
import VideoToolbox

extension CompressionSpecification {
    /// VideoToolbox's encoder specification.
    var dictionary: CFDictionary {
        [
            kVTVideoEncoderSpecification_EnableLowLatencyRateControl: isLowLatency,
            kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: coder != .software,
            kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: coder == .hardware,
        ] as CFDictionary
    }
}
