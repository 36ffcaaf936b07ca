package import HelioCore

/// Replaces the colour in a sequence parameter set of H.264 or H.265 and leaves every other field unchanged
/// (requirement rows 90 and 91), for encoders that do not write their configured colour.
///
/// ```
/// | fields | VUI? | shape | colour | more of the VUI, extensions | stop bit |
///   kept     1      kept    new      kept
/// | fields | no VUI       | extensions | stop bit |
///   kept     1, no shape, new colour, nothing else; then kept
/// ```
package enum SequenceColor {
    /// Returns the parameter set with the new colour. Input and result are NAL units without a start code. Returns
    /// `nil` if the input is not a sequence parameter set, is truncated, or exceeds `SequenceLimits.maximumBytes`.
    package static func replacing(
        in nal: RawSpan, codec: VideoCodec, by color: ColorDescription
    ) -> [UInt8]? {
        let headerBytes = codec == .h264 ? 1 : 2
        guard nal.byteCount <= SequenceLimits.maximumBytes, nal.byteCount > headerBytes,
            let header = nal.bytes(at: 0, count: headerBytes), isParameterSet(header[0], codec)
        else { return nil }
        let reader = BitReader(nal: nal, header: headerBytes, limit: SequenceLimits.maximumBytes)
        guard let written = try? rewritten(reader, codec: codec, by: color) else { return nil }
        var annexB: [UInt8] = []
        written.finish(header: header, into: &annexB)
        return Array(annexB.dropFirst(AnnexB.startCode.count))
    }

    private static func isParameterSet(_ header: UInt8, _ codec: VideoCodec) -> Bool {
        switch codec {
        case .h264: H264NALType(header: header) == .sps
        case .h265: H265NALType(header: header) == .sps
        }
    }

    private static func rewritten(
        _ whole: BitReader, codec: VideoCodec, by color: ColorDescription
    ) throws(BitstreamError) -> BitWriter {
        guard let end = whole.stopBit else { throw .truncated }
        var (source, reader) = (whole, whole)
        switch codec {
        case .h264: _ = try H264SequenceParameters(upToVUI: &reader)
        case .h265: _ = try H265SequenceParameters(upToVUI: &reader)
        }
        var writer = BitWriter()
        try copy(to: reader.position, from: &source, into: &writer)
        let hasVUI = try reader.flag()
        try source.skip(1)
        writer.flag(true)
        if hasVUI {
            try VideoSignal.skipShape(&reader)
            try copy(to: reader.position, from: &source, into: &writer)
            var old = VideoSignal()
            try old.readColor(&reader)
            try source.skip(reader.position - source.position)
            VideoSignal.write(color, to: &writer)
        } else {
            writer.bits(0, 2)  // neither aspect_ratio_info nor overscan_info
            VideoSignal.write(color, to: &writer)
            writer.bits(0, codec == .h264 ? 6 : 7)  // none of the rest
        }
        try copy(to: end, from: &source, into: &writer)
        return writer
    }

    /// Copies bits unchanged, up to the bit position `end`.
    private static func copy(
        to end: Int, from source: inout BitReader, into writer: inout BitWriter
    ) throws(BitstreamError) {
        guard end >= source.position else { throw .invalid }
        while source.position < end {
            let count = min(32, end - source.position)
            writer.bits(try source.bits(count), count)
        }
    }
}
