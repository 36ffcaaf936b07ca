import HelioBitstream
import HelioCore

/// The syntax parameters of a stream's slices, from the parameter sets that x264 wrote.
package struct PatchSyntax: Sendable {
    package private(set) var frameNumberBits: Int
    /// The picture's width in macroblocks.
    package private(set) var mbWidth: Int
    /// The picture's height in macroblocks.
    package private(set) var mbHeight: Int
    var parameterSet: Int
    var initialQP: Int
    var chromaQPOffset: Int
    /// The maximum vertical motion in lines, up or down (table A-1).
    package private(set) var motionRange: Int

    /// Parses the parameter sets. The result is `nil` for streams that `PatchCoder` can't write.
    package init?(annexB: [UInt8]) {
        var sps: BitReader?
        var pps: BitReader?
        var cursor = AnnexB.Cursor()
        let bytes = annexB.span.bytes
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            let reader = BitReader(nal: bytes.extracting(range), header: 1, limit: 1024)
            if header & 0x1F == 7 { sps = reader }
            if header & 0x1F == 8 { pps = reader }
        }
        guard var sps, var pps else { return nil }
        do {
            let profile = try sps.byte()
            try sps.skip(8)
            let level = try sps.byte()
            motionRange = level >= 31 ? 511 : level >= 21 ? 255 : level >= 12 ? 127 : 63
            _ = try sps.unsigned()
            guard [66, 77, 100, 244].contains(profile) else { return nil }
            if profile == 100 || profile == 244 {
                if try sps.unsigned() == 3, try sps.flag() { return nil }  // separate_colour_plane_flag
                guard try sps.unsigned() == 0, try sps.unsigned() == 0 else { return nil }  // bit depths over 8
                guard try sps.bits(2) == 0 else { return nil }  // lossless bypass, scaling matrices
            }
            frameNumberBits = Int(try sps.unsigned(atMost: 12)) + 4
            guard try sps.unsigned() == 2 else { return nil }  // pic_order_cnt_type
            guard try sps.unsigned() == 1 else { return nil }  // max_num_ref_frames
            _ = try sps.flag()
            mbWidth = Int(try sps.unsigned(atMost: 1023)) + 1
            mbHeight = Int(try sps.unsigned(atMost: 1023)) + 1
            guard try sps.flag() else { return nil }  // frame_mbs_only_flag
            _ = try sps.flag()
            if try sps.flag() {
                // Refuse cropping at the left or the top, which would shift the grid of macroblocks.
                guard try sps.unsigned() == 0 else { return nil }
                _ = try sps.unsigned()
                guard try sps.unsigned() == 0 else { return nil }
            }

            parameterSet = Int(try pps.unsigned(atMost: 255))
            _ = try pps.unsigned()
            guard try pps.bits(2) == 0 else { return nil }  // CABAC, bottom field's picture order
            guard try pps.unsigned() == 0, try pps.unsigned() == 0 else { return nil }  // slice groups, references
            _ = try pps.unsigned()
            guard try pps.bits(3) == 0 else { return nil }  // weighted prediction
            initialQP = 26 + Int(try pps.signed())
            _ = try pps.signed()
            chromaQPOffset = Int(try pps.signed())
            guard try pps.bits(3) == 0b100 else { return nil }  // deblocking_filter_control_present_flag alone
            if pps.hasMoreData { return nil }  // 8x8 transform, scaling matrices
        } catch { return nil }
    }
}
