package import HelioCore

/// A sequence parameter set of H.265, limited to the fields that describe its pictures (ITU-T H.265 sections 7.3.2.2
/// and E.2.1).
package struct H265SequenceParameters: Sendable, Hashable {
    /// `general_profile_idc`.
    package private(set) var profile: UInt8 = 0
    /// `general_level_idc`: thirty times the level.
    package private(set) var level: UInt8 = 0
    /// `chroma_format_idc`: 0 = grey, 1 = 4:2:0, 2 = 4:2:2, 3 = 4:4:4.
    package private(set) var chromaFormat: UInt8
    /// The bits per sample: the greater of luma's and chroma's.
    package private(set) var bitDepth: Int
    /// The pictures' size in pixels, inside the conformance window.
    package private(set) var size: PixelSize
    /// The pictures' size in pixels before cropping, for which a decoder allocates memory.
    package private(set) var codedSize: PixelSize
    /// The colour; `.unspecified` if the parameter set does not signal it.
    package private(set) var color = ColorDescription.unspecified
    /// `sps_max_num_reorder_pics` of the highest sub-layer: the number of pictures by which a decoder delays its
    /// output.
    package private(set) var maximumReorderedFrames = 0
    /// `sps_max_dec_pic_buffering_minus1` of the highest sub-layer.
    package private(set) var maximumBufferedFrames = 0

    /// The properties that are needed to display the pictures; `nil` if the pictures are neither 4:2:0 nor 4:4:4.
    package var picture: PictureDescription? {
        ChromaSampling(format: chromaFormat).map { PictureDescription(size: size, chroma: $0, color: color) }
    }

    /// Reads a whole NAL unit, with its header and without a start code. Returns `nil` if it is not a sequence
    /// parameter set, if it is truncated or violates the standard, or if the width or height exceeds 16384 pixels.
    package static func parse(nal: RawSpan) -> Self? {
        guard let header = nal.uint8(at: 0), H265NALType(header: header) == .sps else { return nil }
        var reader = BitReader(nal: nal, header: 2, limit: SequenceLimits.maximumBytes)
        return try? Self(&reader)
    }

    private init(_ reader: inout BitReader) throws(BitstreamError) {
        try self.init(upToVUI: &reader)
        if try reader.flag() { color = try VideoSignal(&reader).color }
    }

    /// Reads the fields before `vui_parameters_present_flag`.
    init(upToVUI reader: inout BitReader) throws(BitstreamError) {
        try reader.skip(4)  // sps_video_parameter_set_id
        let layers = Int(try reader.bits(3))  // sps_max_sub_layers_minus1
        guard layers <= 6 else { throw .invalid }
        try reader.skip(1)  // sps_temporal_id_nesting_flag
        (profile, level) = try H265Syntax.profileAndLevel(&reader, subLayers: layers)
        _ = try reader.unsigned(atMost: 15)  // sps_seq_parameter_set_id
        chromaFormat = UInt8(try reader.unsigned(atMost: 3))
        let hasSeparatePlanes = chromaFormat == 3 ? try reader.flag() : false
        (codedSize, size) = try Self.readSizes(&reader, chromaFormat: hasSeparatePlanes ? 0 : chromaFormat)
        let luma = Int(try reader.unsigned(atMost: 8))
        let chroma = Int(try reader.unsigned(atMost: 8))
        bitDepth = 8 + max(luma, chroma)
        let pictureOrderBits = Int(try reader.unsigned(atMost: 12)) + 4
        let tellsEachLayer = try reader.flag()  // sps_sub_layer_ordering_info_present_flag
        for _ in (tellsEachLayer ? 0 : layers)...layers {
            maximumBufferedFrames = Int(try reader.unsigned(atMost: 15))
            maximumReorderedFrames = Int(try reader.unsigned(atMost: 15))
            _ = try reader.unsigned()  // sps_max_latency_increase_plus1
        }
        try Self.skipCodingTools(&reader, pictureOrderBits: pictureOrderBits)
    }

    private static func readSizes(
        _ reader: inout BitReader, chromaFormat: UInt8
    ) throws(BitstreamError) -> (coded: PixelSize, shown: PixelSize) {
        let limit = UInt32(SequenceLimits.maximumExtent)
        var width = Int(try reader.unsigned(atMost: limit))
        var height = Int(try reader.unsigned(atMost: limit))
        let coded = PixelSize(width: width, height: height)
        if try reader.flag() {  // conformance_window_flag
            let left = Int(try reader.unsigned())
            let right = Int(try reader.unsigned())
            let top = Int(try reader.unsigned())
            let bottom = Int(try reader.unsigned())
            width -= (left + right) * (chromaFormat == 1 || chromaFormat == 2 ? 2 : 1)
            height -= (top + bottom) * (chromaFormat == 1 ? 2 : 1)
        }
        guard width > 0, height > 0 else { throw .invalid }
        return (coded, PixelSize(width: width, height: height))
    }

    /// Skips the fields from `log2_min_luma_coding_block_size_minus3` to `strong_intra_smoothing_enabled_flag`.
    private static func skipCodingTools(
        _ reader: inout BitReader, pictureOrderBits: Int
    ) throws(BitstreamError) {
        for _ in 0..<6 { _ = try reader.unsigned(atMost: 31) }  // sizes and depths of blocks
        if try reader.flag(), try reader.flag() { try H265Syntax.skipScalingLists(&reader) }
        try reader.skip(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
        if try reader.flag() {  // pcm_enabled_flag
            try reader.skip(8)
            _ = try reader.unsigned(atMost: 31)
            _ = try reader.unsigned(atMost: 31)
            try reader.skip(1)
        }
        try H265Syntax.skipReferenceSets(&reader)
        if try reader.flag() {  // long_term_ref_pics_present_flag
            let count = Int(try reader.unsigned(atMost: 32))
            try reader.skip(count * (pictureOrderBits + 1))
        }
        try reader.skip(2)  // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    }
}
