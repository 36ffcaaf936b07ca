import CoreMedia
import HelioCore

extension VideoCodec {
    /// Core Media's constant for the codec.
    var codecType: CMVideoCodecType { self == .h264 ? kCMVideoCodecType_H264 : kCMVideoCodecType_HEVC }
}
