import HelioBitstream
package import HelioCore

/// Inserts parameter sets before keyframes that lack them: some senders send the sets once, or only in the description.
///
/// Sets in the stream are newer, so they replace the description's.
package struct ParameterSetMemory: Sendable {
    package enum Verdict: Sendable {
        /// The frame begins with parameter sets, or needs none.
        case complete
        /// The frame holds parameter sets alone, which are kept for the next keyframe.
        case remembered
        /// The frame is a keyframe whose parameter sets are not known.
        case missing
    }

    /// The size limit for all sets of one kind together, in bytes; larger ones are not kept.
    private static let mostBytes = 64 * 1024

    /// The human-readable reason why the present pictures can't be shown.
    package private(set) var obstacle: String?
    private let codec: VideoCodec
    /// The known sets by kind, each with a start code before it.
    private var known: [UInt8: [UInt8]] = [:]

    /// - Parameter described: the parameter sets from the peer's description, without start codes.
    package init(codec: VideoCodec, _ described: [[UInt8]]) {
        self.codec = codec
        learn(described.flatMap { AnnexB.startCode + $0 })
        obstacle = nil
    }

    /// Puts the parameter sets before a keyframe that lacks them, and stores those that it carries.
    package mutating func complete(_ frame: inout ReceivedFrame) -> Verdict {
        guard frame.isKeyframe else { return .complete }
        let (kinds, hasPicture) = learn(frame.annexB)
        guard hasPicture else { return .remembered }
        if kinds.isSuperset(of: needed) { return .complete }
        guard needed.allSatisfy({ known[$0] != nil }) else { return .missing }
        frame.annexB = needed.flatMap { known[$0] ?? [] } + frame.annexB
        return .complete
    }

    private var needed: [UInt8] {
        switch codec {
        case .h264: [H264NALType.sps, .pps].map(\.rawValue)
        case .h265: [H265NALType.vps, .sps, .pps].map(\.rawValue)
        }
    }

    /// Stores the parameter sets that precede the first picture; returns their kinds, and whether there is a picture.
    @discardableResult
    private mutating func learn(_ annexB: [UInt8]) -> (kinds: Set<UInt8>, hasPicture: Bool) {
        let bytes = annexB.span.bytes
        var found: [UInt8: [UInt8]] = [:]
        var hasPicture = false
        var cursor = AnnexB.Cursor()
        while !hasPicture, let range = cursor.next(in: bytes), let header = bytes.uint8(at: range.lowerBound) {
            hasPicture = NALHeader.isVCL(header, codec: codec)
            guard NALHeader.isParameterSet(header, codec: codec), range.count > NALHeader.size(codec),
                range.count < Self.mostBytes
            else { continue }
            let kind = codec == .h264 ? H264NALType(header: header).rawValue : H265NALType(header: header).rawValue
            if let samples = SampleFormat(bytes.extracting(range), codec: codec) { obstacle = samples.obstacle }
            found[kind, default: []] += AnnexB.startCode + (bytes.bytes(at: range.lowerBound, count: range.count) ?? [])
        }
        for (kind, sets) in found where sets.count < Self.mostBytes { known[kind] = sets }
        return (Set(found.keys), hasPicture)
    }
}
