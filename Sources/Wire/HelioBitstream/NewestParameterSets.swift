package import HelioCore

/// The newest parameter sets of a video stream, to insert before a keyframe that arrives without them.
package struct NewestParameterSets: Sendable {
    /// The maximum total size of the stored sets, in bytes; if a stream's sets exceed it, all are dropped.
    private static let limit = 64 << 10

    private let codec: VideoCodec
    /// Parameter sets by NAL unit type. If an access unit has sets of a type, they replace all stored sets of that
    /// type.
    private var kept: [UInt8: [[UInt8]]] = [:]

    package init(_ codec: VideoCodec) { self.codec = codec }

    /// All parameter sets as NAL units without start codes: VPS (H.265 only), SPS, PPS.
    package var all: [[UInt8]] { types.flatMap { kept[$0] ?? [] } }

    /// The pictures' size; `nil` if no stored sequence parameter set can be read.
    package var size: PixelSize? {
        for set in all {
            switch codec {
            case .h264: if let parameters = H264SequenceParameters.parse(nal: set.span.bytes) { return parameters.size }
            case .h265: if let parameters = H265SequenceParameters.parse(nal: set.span.bytes) { return parameters.size }
            }
        }
        return nil
    }

    /// Stores the parameter sets of an access unit, whose NAL units are at `ranges`. For a keyframe, returns the sets
    /// that the access unit lacks, or `nil` if those never arrived; otherwise returns an empty array.
    @discardableResult
    package mutating func update(_ unit: RawSpan, _ ranges: [Range<Int>], isKeyframe: Bool) -> [[UInt8]]? {
        var found: [UInt8: [[UInt8]]] = [:]
        for range in ranges {
            guard let header = unit.uint8(at: range.lowerBound), NALHeader.isParameterSet(header, codec: codec) else {
                continue
            }
            found[type(header), default: []].append(unit.bytes(at: range.lowerBound, count: range.count) ?? [])
        }
        for (type, sets) in found { kept[type] = sets }
        if kept.values.joined().reduce(0, { $0 + $1.count }) > Self.limit { kept = [:] }
        guard isKeyframe else { return [] }
        var missing: [[UInt8]] = []
        for type in types where found[type] == nil {
            guard let sets = kept[type] else { return nil }
            missing += sets
        }
        return missing
    }

    private var types: [UInt8] {
        codec == .h264
            ? [H264NALType.sps.rawValue, H264NALType.pps.rawValue]
            : [H265NALType.vps.rawValue, H265NALType.sps.rawValue, H265NALType.pps.rawValue]
    }

    private func type(_ header: UInt8) -> UInt8 {
        codec == .h264 ? H264NALType(header: header).rawValue : H265NALType(header: header).rawValue
    }
}
