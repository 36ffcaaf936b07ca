internal import HelioBitstream
package import HelioCore

/// An access unit split into its parameter sets and the sample for a decompression session.
package struct StreamUnit: Sendable {
    /// The parameter sets, in their order, without start codes.
    package private(set) var parameterSets: [[UInt8]] = []
    /// All other NAL units except delimiters, unchanged, each prefixed by its length in 4 bytes, big-endian
    /// (requirement rows 42 and 43).
    package private(set) var sample: [UInt8] = []
    package private(set) var hasSlices = false
    package private(set) var isKeyframe = false
    /// True if the bytes contained no NAL unit.
    package private(set) var isEmpty = true

    package init(annexB: RawSpan, codec: VideoCodec) {
        sample.reserveCapacity(annexB.byteCount + 16)
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: annexB) {
            guard range.count >= NALHeader.size(codec), let header = annexB.uint8(at: range.lowerBound) else {
                continue
            }
            isEmpty = false
            if NALHeader.isParameterSet(header, codec: codec) {
                parameterSets.append(annexB.bytes(at: range.lowerBound, count: range.count) ?? [])
                continue
            }
            if NALHeader.isDelimiter(header, codec: codec) || !NALHeader.isNALUnit(header, codec: codec) { continue }
            hasSlices = hasSlices || NALHeader.isVCL(header, codec: codec)
            isKeyframe = isKeyframe || NALHeader.isKeyframe(header, codec: codec)
            sample.append(bigEndian: UInt32(range.count))
            sample.append(annexB, range)
        }
    }
}
