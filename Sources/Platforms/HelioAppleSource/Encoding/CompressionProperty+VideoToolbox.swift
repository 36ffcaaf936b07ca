import CoreVideo
import Foundation
import HelioAppleMedia
import HelioCore
import VideoToolbox

extension CompressionProperty {
    /// VideoToolbox's key of the property.
    var key: CFString {
        switch self {
        case .realTime: kVTCompressionPropertyKey_RealTime
        case .allowsReordering: kVTCompressionPropertyKey_AllowFrameReordering
        case .profile: kVTCompressionPropertyKey_ProfileLevel
        case .expectedRate: kVTCompressionPropertyKey_ExpectedFrameRate
        case .averageBitrate: kVTCompressionPropertyKey_AverageBitRate
        case .dataRateLimit: kVTCompressionPropertyKey_DataRateLimits
        case .keyframeInterval: kVTCompressionPropertyKey_MaxKeyFrameInterval
        case .primaries: kVTCompressionPropertyKey_ColorPrimaries
        case .transfer: kVTCompressionPropertyKey_TransferFunction
        case .matrix: kVTCompressionPropertyKey_YCbCrMatrix
        }
    }

    /// The value, in the type that VideoToolbox expects.
    var value: CFTypeRef {
        switch self {
        case .realTime(let isSet), .allowsReordering(let isSet): NSNumber(value: isSet)
        case .profile(let profile): profile.level
        case .expectedRate(let number), .averageBitrate(let number), .keyframeInterval(let number):
            NSNumber(value: number)
        case .dataRateLimit(let limit):
            NSArray(array: [NSNumber(value: limit.bytes), NSNumber(value: limit.seconds)])
        case .primaries(let primaries): primaries.name
        case .transfer(let transfer): transfer.name
        case .matrix(let matrix): matrix.name
        }
    }
}
