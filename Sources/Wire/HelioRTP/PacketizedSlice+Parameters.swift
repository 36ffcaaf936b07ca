package import HelioBitstream
import HelioCore

extension PacketizedSlice {
    /// The sequence parameter set of a keyframe that begins with this slice; `nil` for other slices, for H.265, and if
    /// none of the first payloads has a valid parameter set.
    package var sequenceParameters: H264SequenceParameters? {
        guard isKeyframe, isFirst, codec == .h264 else { return nil }
        for payload in payloads.prefix(3) {
            let payload = bytes.span.bytes.extracting(payload.range)
            if let parameters = H264SequenceParameters.parse(nal: payload) { return parameters }
            guard payload.uint8(at: 0).map({ H264NALType(header: $0) }) == .stapA else { continue }
            var units = AggregatedUnits(codec: codec)
            while case .success(let unit)? = units.next(in: payload) {
                if let parameters = H264SequenceParameters.parse(nal: payload.extracting(unit)) {
                    return parameters
                }
            }
        }
        return nil
    }
}
