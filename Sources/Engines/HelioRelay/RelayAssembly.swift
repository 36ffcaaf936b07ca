import HelioBitstream
import HelioCore

/// A picture being assembled from its NAL units.
struct RelayAssembly: Sendable {
    let captured: Instant
    private(set) var annexB: [UInt8] = []
    private(set) var hasParameterSets = false
    private(set) var isKeyframe = false
    private(set) var hasPicture = false
    private(set) var count = 0

    init(captured: Instant) { self.captured = captured }

    /// - Parameter unit: a NAL unit with its start code of 4 bytes, followed by at least one byte.
    mutating func append(_ unit: [UInt8], codec: VideoCodec) {
        let header = unit[4]
        annexB += unit
        count += 1
        if NALHeader.isParameterSet(header, codec: codec) { hasParameterSets = true }
        if NALHeader.isVCL(header, codec: codec) { hasPicture = true }
        if NALHeader.isKeyframe(header, codec: codec) { isKeyframe = true }
    }
}
