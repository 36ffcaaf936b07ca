import HelioBitstream
import HelioCore
import HelioSDP

/// Puts parameter sets before keyframes that come without: some senders tell them once, or in the description alone.
struct ParameterSetMemory: Sendable {
    enum Verdict: Sendable {
        /// Begins with parameter sets, if it has to.
        case complete
        /// Parameter sets and nothing else: they go before the next keyframe.
        case remembered
        /// A keyframe, and nobody has told its parameter sets.
        case missing
    }

    /// Of all that are kept; larger ones are no parameter sets.
    private static let mostBytes = 64 * 1024

    private let codec: VideoCodec
    /// Each behind a start code, by their kind.
    private var known: [UInt8: [UInt8]] = [:]

    /// - Parameter parameters: what the peer's description says of the codec.
    init(codec: VideoCodec, _ parameters: FormatParameters?) {
        self.codec = codec
        guard codec == .h264, let text = parameters?["sprop-parameter-sets"] else { return }
        var described: [UInt8] = []
        for item in text.split(separator: ",") {
            // Some leave the padding out.
            let padding = String(repeating: "=", count: (4 - item.utf8.count % 4) % 4)
            guard let unit = Base64.decode(String(item) + padding) else { continue }
            described += AnnexB.startCode + unit
        }
        learn(described)
    }

    /// Completes a frame, and learns from it.
    mutating func complete(_ frame: inout ReceivedFrame) -> Verdict {
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
            found[kind, default: []] += AnnexB.startCode + (bytes.bytes(at: range.lowerBound, count: range.count) ?? [])
        }
        for (kind, sets) in found where sets.count < Self.mostBytes { known[kind] = sets }
        return (Set(found.keys), hasPicture)
    }
}
