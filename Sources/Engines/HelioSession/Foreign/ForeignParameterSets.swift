internal import HelioBitstream
internal import HelioCore

/// Puts parameter sets before keyframes that come without: many servers tell them in the description alone.
///
/// What the stream itself says is newer, so it takes the description's place.
struct ForeignParameterSets: Sendable {
    /// Of all that are kept; larger ones are no parameter sets.
    private static let mostBytes = 64 * 1024

    private let codec: VideoCodec
    /// Annex-B, as they stand before a keyframe.
    private var known: [UInt8] = []
    /// Why the pictures that now come can't be shown, for people.
    private(set) var obstacle: String?

    init(codec: VideoCodec, _ described: [[UInt8]]) {
        self.codec = codec
        for set in described where known.count + set.count < Self.mostBytes { known += AnnexB.startCode + set }
    }

    /// Completes a frame, and learns from it.
    mutating func complete(_ frame: inout ReceivedFrame) {
        guard frame.isKeyframe else { return }
        let unit = frame.annexB
        let bytes = unit.span.bytes
        var kinds: Set<UInt8> = []
        var found: [UInt8] = []
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes), let header = bytes.uint8(at: range.lowerBound),
            !NALHeader.isVCL(header, codec: codec)
        {
            guard NALHeader.isParameterSet(header, codec: codec) else { continue }
            kinds.insert(codec == .h264 ? H264NALType(header: header).rawValue : H265NALType(header: header).rawValue)
            if let samples = ForeignSamples(bytes.extracting(range), codec: codec) { obstacle = samples.obstacle }
            found += AnnexB.startCode
            found += bytes.bytes(at: range.lowerBound, count: range.count) ?? []
        }
        if kinds.count == (codec == .h264 ? 2 : 3) {
            if found.count < Self.mostBytes { known = found }
        } else {
            frame.annexB = known + unit
        }
    }
}
