internal import CFFmpeg
internal import HelioBitstream
internal import HelioCore

extension FFmpegDecoder {
    /// The number of bytes at the start of an access unit that are searched for Heliograph's damage message and the
    /// parameter sets, which precede any slice.
    private static let searched = 4096

    /// Returns the region that the source reports as changed; `nil` if any part may have changed.
    func damage(in annexB: [UInt8], isKeyframe: Bool) -> Region? {
        if isKeyframe { return nil }
        let bytes = annexB.span.bytes
        let head = bytes.extracting(first: min(bytes.byteCount, Self.searched))
        return DamageMessage.find(inAnnexB: head, codec: codec)?.region
    }

    /// Returns the picture size in a unit's parameter sets if it exceeds `mostSamples`; `nil` otherwise. FFmpeg itself
    /// refuses a parameter set after a slice that changes the size.
    func excess(in annexB: [UInt8]) -> PixelSize? {
        let bytes = annexB.span.bytes
        let head = bytes.extracting(first: min(bytes.byteCount, Self.searched))
        return PictureLimit.excess(over: mostSamples, inAnnexB: head, codec: codec)
    }

    /// Returns the picture size, before cropping, in a unit's parameter sets; `nil` if it has none before its slices.
    func codedSize(in annexB: [UInt8]) -> PixelSize? {
        let bytes = annexB.span.bytes
        let head = bytes.extracting(first: min(bytes.byteCount, Self.searched))
        return PictureLimit.excess(over: 0, inAnnexB: head, codec: codec)
    }

    /// Returns true if the unit contains a slice.
    func hasSlices(_ annexB: [UInt8]) -> Bool {
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes) {
            if let header = bytes.uint8(at: range.lowerBound), NALHeader.isVCL(header, codec: codec) { return true }
        }
        return false
    }
}
