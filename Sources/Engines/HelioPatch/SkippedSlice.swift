/// A slice in which every macroblock stays as it is in the picture before: it makes a picture whole whose other slices
/// were lost.
package enum SkippedSlice {
    /// Writes the slice as an Annex-B NAL unit: all macroblocks from `firstBlock` on, which begins a row.
    ///
    /// Skipped macroblocks take their neighbours' motion, and those that such a slice has are all without.
    ///
    /// - Parameter frameNumber: that of the picture's other slices.
    package static func annexB(_ syntax: PatchSyntax, from firstBlock: Int, frameNumber: Int) -> [UInt8] {
        var writer = SliceWriter(capacity: 64)
        writer.begin(syntax, firstBlock: firstBlock, frameNumber: frameNumber, qp: syntax.initialQP)
        writer.unsigned(syntax.mbWidth * syntax.mbHeight - firstBlock)
        return writer.annexB(header: 0x41)
    }
}
