import HelioCore

/// The beginning of the VUI, which is the same in both codecs: aspect ratio, overscan, colour and chroma location
/// (H.264 section E.1.1, H.265 section E.2.1).
struct VideoSignal {
    var color = ColorDescription.unspecified

    init() {}

    init(_ reader: inout BitReader) throws(BitstreamError) {
        try Self.skipShape(&reader)
        try readColor(&reader)
        if try reader.flag() {  // chroma_loc_info_present_flag
            _ = try reader.unsigned(atMost: 5)
            _ = try reader.unsigned(atMost: 5)
        }
    }

    /// Skips the fields before the colour: aspect ratio and overscan.
    static func skipShape(_ reader: inout BitReader) throws(BitstreamError) {
        if try reader.flag() {  // aspect_ratio_info_present_flag
            let extendedSAR: UInt8 = 255
            if try reader.byte() == extendedSAR { try reader.skip(32) }
        }
        if try reader.flag() { try reader.skip(1) }  // overscan_info
    }

    mutating func readColor(_ reader: inout BitReader) throws(BitstreamError) {
        if try reader.flag() {  // video_signal_type_present_flag
            try reader.skip(3)  // video_format
            color.isFullRange = try reader.flag()
            if try reader.flag() {  // colour_description_present_flag
                color.primaries = try reader.byte()
                color.transfer = try reader.byte()
                color.matrix = try reader.byte()
            }
        }
    }

    /// Writes a colour with all of its code points, even if they are unspecified.
    static func write(_ color: ColorDescription, to writer: inout BitWriter) {
        writer.flag(true)  // video_signal_type_present_flag
        writer.bits(5, 3)  // video_format: unspecified
        writer.flag(color.isFullRange)
        writer.flag(true)  // colour_description_present_flag
        for point in [color.primaries, color.transfer, color.matrix] { writer.bits(UInt32(point), 8) }
    }
}
