import HelioBitstream
package import HelioCore

/// Puts parameter sets before keyframes that come without: some senders tell them once, or in the description alone.
///
/// What the stream itself says is newer, so it takes the description's place.
package struct ParameterSetMemory: Sendable {
    package enum Verdict: Sendable {
        /// Begins with parameter sets, if it has to.
        case complete
        /// Parameter sets and nothing else: they go before the next keyframe.
        case remembered
        /// A keyframe, and nobody has told its parameter sets.
        case missing
    }

    /// Of all of one kind that are kept; larger ones are no parameter sets.
    private static let mostBytes = 64 * 1024

    /// Why the pictures that now come can't be shown, for people.
    package private(set) var obstacle: String?
    private let codec: VideoCodec
    /// Each behind a start code, by their kind.
    private var known: [UInt8: [UInt8]] = [:]

    /// - Parameter described: what the peer's description tells, without start codes.
    package init(codec: VideoCodec, _ described: [[UInt8]]) {
        self.codec = codec
        learn(described.flatMap { AnnexB.startCode + $0 })
        obstacle = nil
    }

    /// Completes a frame, and learns from it.
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

    /// The kinds of parameter sets that stand before the first picture, and whether there is one.
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
