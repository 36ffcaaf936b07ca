import Foundation
import HelioAppleMedia
import VideoToolbox

extension CompressionProfile {
    /// VideoToolbox's constant for the profile, with automatic choice of the level.
    var level: CFString {
        switch self {
        case .h264ConstrainedHigh: kVTProfileLevel_H264_ConstrainedHigh_AutoLevel
        case .h264ConstrainedBaseline: kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel
        case .h264Main: kVTProfileLevel_H264_Main_AutoLevel
        case .h264Baseline: kVTProfileLevel_H264_Baseline_AutoLevel
        case .h265Main: kVTProfileLevel_HEVC_Main_AutoLevel
        }
    }
}
