import HelioBitstream
package import HelioCore

/// Puts parameter sets before keyframes that come without: some senders tell them once, or in the description alone.
///
/// What the stream itself says is newer, so it takes the description's place.
package struct ParameterSetMemory: Sendable {
    package enum Verdict: Sendable {
        /// The frame begins with parameter sets, if it has to.
        case complete
        /// The frame is parameter sets and nothing else: they go before the next keyframe.
        case remembered
        /// The frame is a keyframe whose parameter sets are not known.
        case missing
    }

    /// The size limit for all kept sets of one kind; larger ones are no parameter sets.
    private static let mostBytes = 64 * 1024

    /// The reason why the present pictures can't be shown, for people.
    package private(set) var obstacle: String?
    private let codec: VideoCodec
    /// The known sets by kind, each behind a start code.
    private var known: [UInt8: [UInt8]] = [:]

    /// - Parameter described: the parameter sets from the peer's description, without start codes.
    package init(codec: VideoCodec, _ described: [[UInt8]]) {
        self.codec = codec
        learn(described.flatMap { AnnexB.startCode + $0 })
        obstacle = nil
    }

    /// Puts the parameter sets before a keyframe that lacks them, and learns those that it carries.
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

    /// Learns the parameter sets that stand before the first picture; returns their kinds, and whether there is a
    /// picture.
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
