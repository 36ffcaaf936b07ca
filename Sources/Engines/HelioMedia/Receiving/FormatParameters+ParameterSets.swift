import HelioBitstream
package import HelioCore
package import HelioSDP

extension FormatParameters {
    /// Reads the parameter sets from `a=fmtp` (RFC 6184 section 8.1, RFC 7798 section 7.1), in the order in which a
    /// decoder needs them, without start codes; invalid ones are left out.
    package func parameterSets(_ codec: VideoCodec) -> [[UInt8]] {
        let names = codec == .h264 ? ["sprop-parameter-sets"] : ["sprop-vps", "sprop-sps", "sprop-pps"]
        return names.compactMap { self[$0] }.flatMap { $0.split(separator: ",") }.compactMap { item in
            // Base64 padding is added where the sender has omitted it.
            let padding = String(repeating: "=", count: (4 - item.utf8.count % 4) % 4)
            guard let unit = Base64.decode(String(item) + padding), let header = unit.first,
                NALHeader.isParameterSet(header, codec: codec), unit.count > NALHeader.size(codec)
            else { return nil }
            return unit
        }
    }
}
