import CoreMedia
import HelioCore

extension VideoCodec {
    /// Core Media's name of the codec.
    var codecType: CMVideoCodecType { self == .h264 ? kCMVideoCodecType_H264 : kCMVideoCodecType_HEVC }
}
