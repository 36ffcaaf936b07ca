internal import CFFmpeg
internal import HelioBitstream
internal import HelioCore

extension FFmpegDecoder {
    /// The first bytes of the unit in which Heliograph's damage message and the parameter sets are looked for: they
    /// come before any slice.
    private static let searched = 4096

    /// The region that the source reports as changed; `nil` if everything may have changed.
    func damage(in annexB: [UInt8], isKeyframe: Bool) -> Region? {
        if isKeyframe { return nil }
        let bytes = annexB.span.bytes
        let head = bytes.extracting(first: min(bytes.byteCount, Self.searched))
        return DamageMessage.find(inAnnexB: head, codec: codec)?.region
    }

    /// The picture size in a unit's parameter sets, if it exceeds `mostSamples`; `nil` otherwise. FFmpeg itself refuses
    /// a size that is announced after a slice.
    func excess(in annexB: [UInt8]) -> PixelSize? {
        let bytes = annexB.span.bytes
        let head = bytes.extracting(first: min(bytes.byteCount, Self.searched))
        return PictureLimit.excess(over: mostSamples, inAnnexB: head, codec: codec)
    }

    /// True if the unit has coded picture data.
    func hasSlices(_ annexB: [UInt8]) -> Bool {
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes) {
            if let header = bytes.uint8(at: range.lowerBound), NALHeader.isVCL(header, codec: codec) { return true }
        }
        return false
    }
}
