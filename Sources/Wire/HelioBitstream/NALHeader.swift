package import HelioCore

/// Interprets the first byte of an H.264 or H.265 NAL unit.
package enum NALHeader {
    /// The size of a NAL unit's header in bytes, which is also the minimum size of a NAL unit.
    package static func size(_ codec: VideoCodec) -> Int { codec == .h264 ? 1 : 2 }

    package static func isVCL(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264 ? H264NALType(header: header).isVCL : H265NALType(header: header).isVCL
    }

    package static func isKeyframe(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264 ? H264NALType(header: header).isKeyframe : H265NALType(header: header).isKeyframe
    }

    package static func isParameterSet(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264 ? H264NALType(header: header).isParameterSet : H265NALType(header: header).isParameterSet
    }

    /// Returns true for an access unit delimiter, the first NAL unit of its access unit.
    package static func isDelimiter(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264
            ? H264NALType(header: header) == .accessUnitDelimiter
            : H265NALType(header: header) == .accessUnitDelimiter
    }

    /// Returns true for supplemental enhancement information (SEI) that precedes the slices of its access unit.
    package static func isSEI(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264 ? H264NALType(header: header) == .sei : H265NALType(header: header) == .prefixSEI
    }

    /// Returns true for types that can occur in a stream, as opposed to those that only RTP uses.
    package static func isNALUnit(_ header: UInt8, codec: VideoCodec) -> Bool {
        codec == .h264 ? H264NALType(header: header).isNALUnit : H265NALType(header: header).isNALUnit
    }
}
