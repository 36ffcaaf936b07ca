package import HelioCore

/// A sequence parameter set of H.264, limited to the fields that describe its pictures (ITU-T H.264 sections 7.3.2.1.1
/// and E.1.1).
package struct H264SequenceParameters: Sendable, Hashable {
    /// `profile_idc`.
    package private(set) var profile: UInt8
    /// `constraint_set0_flag` in the highest bit, `constraint_set5_flag` in the third lowest.
    package private(set) var constraints: UInt8
    /// `level_idc`: ten times the level.
    package private(set) var level: UInt8
    /// `chroma_format_idc`: 0 = grey, 1 = 4:2:0, 2 = 4:2:2, 3 = 4:4:4.
    package private(set) var chromaFormat: UInt8 = 1
    /// The bits per sample: the greater of luma's and chroma's.
    package private(set) var bitDepth = 8
    /// The pictures' size in pixels after cropping.
    package private(set) var size = PixelSize(width: 0, height: 0)
    /// The pictures' size in pixels before cropping, for which a decoder allocates memory.
    package private(set) var codedSize = PixelSize(width: 0, height: 0)
    /// The bits of `frame_num`: `log2_max_frame_num_minus4` plus 4.
    package private(set) var frameNumberBits = 4
    /// The colour; `.unspecified` if the parameter set does not signal it.
    package private(set) var color = ColorDescription.unspecified
    /// `max_num_reorder_frames`: the number of frames by which a decoder delays its output. `nil` if not signalled; the
    /// delay may then be as long as the decoder's picture buffer.
    package private(set) var maximumReorderedFrames: Int?
    /// `max_dec_frame_buffering`; `nil` if not signalled.
    package private(set) var maximumBufferedFrames: Int?

    /// The properties that are needed to display the pictures; `nil` if the pictures are neither 4:2:0 nor 4:4:4.
    package var picture: PictureDescription? {
        ChromaSampling(format: chromaFormat).map { PictureDescription(size: size, chroma: $0, color: color) }
    }

    /// Reads a whole NAL unit, with its header and without a start code. Returns `nil` if it is not a sequence
    /// parameter set, if it is truncated or violates the standard, or if the width or height exceeds 16384 pixels.
    package static func parse(nal: RawSpan) -> Self? {
        guard let header = nal.uint8(at: 0), H264NALType(header: header) == .sps else { return nil }
        var reader = BitReader(nal: nal, header: 1, limit: SequenceLimits.maximumBytes)
        return try? Self(&reader)
    }

    private init(_ reader: inout BitReader) throws(BitstreamError) {
        try self.init(upToVUI: &reader)
        if try reader.flag() { try readVUI(&reader) }
    }

    /// Reads the fields before `vui_parameters_present_flag`.
    init(upToVUI reader: inout BitReader) throws(BitstreamError) {
        profile = try reader.byte()
        constraints = try reader.byte()
        level = try reader.byte()
        _ = try reader.unsigned(atMost: 31)  // seq_parameter_set_id
        let hasSeparatePlanes = try readChroma(&reader)
        frameNumberBits = Int(try reader.unsigned(atMost: 12)) + 4
        try Self.skipPictureOrder(&reader)
        _ = try reader.unsigned(atMost: 16)  // max_num_ref_frames
        try reader.skip(1)  // gaps_in_frame_num_value_allowed_flag
        try readSize(&reader, hasSeparatePlanes: hasSeparatePlanes)
    }

    /// The values of `profile_idc` whose parameter sets have chroma fields (section 7.3.2.1.1).
    private static let highProfiles: Set<UInt8> = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]

    /// Reads the chroma fields; returns `separate_colour_plane_flag`.
    private mutating func readChroma(_ reader: inout BitReader) throws(BitstreamError) -> Bool {
        guard Self.highProfiles.contains(profile) else { return false }
        chromaFormat = UInt8(try reader.unsigned(atMost: 3))
        let hasSeparatePlanes = chromaFormat == 3 ? try reader.flag() : false
        let luma = Int(try reader.unsigned(atMost: 6))
        let chroma = Int(try reader.unsigned(atMost: 6))
        bitDepth = 8 + max(luma, chroma)
        try reader.skip(1)  // qpprime_y_zero_transform_bypass_flag
        if try reader.flag() {  // seq_scaling_matrix_present_flag
            for list in 0..<(chromaFormat == 3 ? 12 : 8) where try reader.flag() {
                try Self.skipScalingList(&reader, size: list < 6 ? 16 : 64)
            }
        }
        return hasSeparatePlanes
    }

    private static func skipScalingList(_ reader: inout BitReader, size: Int) throws(BitstreamError) {
        var last: Int32 = 8
        for _ in 0..<size {
            let delta = try reader.signed()
            guard (-128...127).contains(delta) else { throw .invalid }
            last = (last + delta + 256) % 256
            if last == 0 { return }
        }
    }

    private static func skipPictureOrder(_ reader: inout BitReader) throws(BitstreamError) {
        switch try reader.unsigned(atMost: 2) {
        case 0:
            _ = try reader.unsigned(atMost: 12)
        case 1:
            try reader.skip(1)
            _ = try reader.signed()
            _ = try reader.signed()
            for _ in 0..<(try reader.unsigned(atMost: 255)) { _ = try reader.signed() }
        default:
            break
        }
    }

    private mutating func readSize(
        _ reader: inout BitReader, hasSeparatePlanes: Bool
    ) throws(BitstreamError) {
        let limit = UInt32(SequenceLimits.maximumExtent / 16 - 1)
        let columns = Int(try reader.unsigned(atMost: limit)) + 1
        let rows = Int(try reader.unsigned(atMost: limit)) + 1
        let isFrameOnly = try reader.flag()
        if !isFrameOnly { try reader.skip(1) }  // mb_adaptive_frame_field_flag
        let fields = isFrameOnly ? 1 : 2
        try reader.skip(1)  // direct_8x8_inference_flag
        var width = columns * 16
        var height = rows * 16 * fields
        codedSize = PixelSize(width: width, height: height)
        if try reader.flag() {  // frame_cropping_flag
            let subsamplesColumns = !hasSeparatePlanes && (chromaFormat == 1 || chromaFormat == 2)
            let subsamplesRows = !hasSeparatePlanes && chromaFormat == 1
            let left = Int(try reader.unsigned())
            let right = Int(try reader.unsigned())
            let top = Int(try reader.unsigned())
            let bottom = Int(try reader.unsigned())
            width -= (left + right) * (subsamplesColumns ? 2 : 1)
            height -= (top + bottom) * (subsamplesRows ? 2 : 1) * fields
        }
        guard width > 0, height > 0, height <= SequenceLimits.maximumExtent else { throw .invalid }
        size = PixelSize(width: width, height: height)
    }

    private mutating func readVUI(_ reader: inout BitReader) throws(BitstreamError) {
        color = try VideoSignal(&reader).color
        if try reader.flag() { try reader.skip(32 + 32 + 1) }  // timing_info
        let hasNALRates = try reader.flag()
        if hasNALRates { try Self.skipRates(&reader) }
        let hasVCLRates = try reader.flag()
        if hasVCLRates { try Self.skipRates(&reader) }
        if hasNALRates || hasVCLRates { try reader.skip(1) }  // low_delay_hrd_flag
        try reader.skip(1)  // pic_struct_present_flag
        guard try reader.flag() else { return }  // bitstream_restriction_flag
        try reader.skip(1)  // motion_vectors_over_pic_boundaries_flag
        _ = try reader.unsigned(atMost: 16)  // max_bytes_per_pic_denom
        _ = try reader.unsigned(atMost: 16)  // max_bits_per_mb_denom
        _ = try reader.unsigned(atMost: 16)  // log2_max_mv_length_horizontal
        _ = try reader.unsigned(atMost: 16)  // log2_max_mv_length_vertical
        maximumReorderedFrames = Int(try reader.unsigned(atMost: 16))
        maximumBufferedFrames = Int(try reader.unsigned(atMost: 16))
    }

    /// Skips `hrd_parameters` (section E.1.2).
    private static func skipRates(_ reader: inout BitReader) throws(BitstreamError) {
        let count = try reader.unsigned(atMost: 31) + 1
        try reader.skip(8)
        for _ in 0..<count {
            _ = try reader.unsigned()
            _ = try reader.unsigned()
            try reader.skip(1)
        }
        try reader.skip(20)
    }
}
