import HelioBitstream
import HelioCore

/// A picture that is being assembled from its NAL units.
struct RelayAssembly: Sendable {
    let captured: Instant
    private(set) var annexB: [UInt8] = []
    private(set) var hasParameterSets = false
    private(set) var isKeyframe = false
    private(set) var hasPicture = false
    private(set) var count = 0

    init(captured: Instant) { self.captured = captured }

    /// Appends a NAL unit.
    ///
    /// - Parameter unit: a start code of 4 bytes and a NAL unit of at least 1 byte.
    mutating func append(_ unit: [UInt8], codec: VideoCodec) {
        let header = unit[4]
        annexB += unit
        count += 1
        if NALHeader.isParameterSet(header, codec: codec) { hasParameterSets = true }
        if NALHeader.isVCL(header, codec: codec) { hasPicture = true }
        if NALHeader.isKeyframe(header, codec: codec) { isKeyframe = true }
    }
}
