package import HelioBitstream
import HelioCore

extension PacketizedSlice {
    /// The sequence parameter set of a keyframe that begins with this slice; `nil` for other slices, for H.265, and if
    /// none of the first three payloads has a valid parameter set.
    package var sequenceParameters: H264SequenceParameters? {
        guard isKeyframe, isFirst, codec == .h264 else { return nil }
        for payload in payloads.prefix(3) {
            let payload = bytes.span.bytes.extracting(payload.range)
            var parameters: H264SequenceParameters?
            AggregatedUnits.forEachUnit(in: payload) { unit in
                if parameters == nil { parameters = H264SequenceParameters.parse(nal: payload.extracting(unit)) }
            }
            if let parameters { return parameters }
        }
        return nil
    }
}
