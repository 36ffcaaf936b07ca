import HelioBitstream
package import HelioCore

extension PacketizedSlice {
    /// The size in pixels of the pictures that begin with this slice, from the sequence parameter set of a keyframe;
    /// `nil` for other slices, for H.265, and if none of the first payloads has a valid parameter set.
    package var pictureSize: PixelSize? {
        guard isKeyframe, isFirst, codec == .h264 else { return nil }
        for payload in payloads.prefix(3) {
            let payload = bytes.span.bytes.extracting(payload.range)
            if let parameters = H264SequenceParameters.parse(nal: payload) { return parameters.size }
            guard payload.uint8(at: 0).map({ H264NALType(header: $0) }) == .stapA else { continue }
            var units = AggregatedUnits(codec: codec)
            while case .success(let unit)? = units.next(in: payload) {
                if let parameters = H264SequenceParameters.parse(nal: payload.extracting(unit)) {
                    return parameters.size
                }
            }
        }
        return nil
    }
}
