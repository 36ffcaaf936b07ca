/// A slice in which every macroblock stays as in the picture before: it completes a picture whose other slices were
/// lost.
package enum SkippedSlice {
    /// Writes the slice as an Annex-B NAL unit, with all macroblocks from `firstBlock` on, which must begin a row.
    ///
    /// Skipped macroblocks predict their motion from neighbours in the same slice, none of which has any.
    ///
    /// - Parameter frameNumber: the `frame_num` of the picture's other slices.
    package static func annexB(_ syntax: PatchSyntax, from firstBlock: Int, frameNumber: Int) -> [UInt8] {
        var writer = SliceWriter(capacity: 64)
        writer.begin(syntax, firstBlock: firstBlock, frameNumber: frameNumber, qp: syntax.initialQP)
        writer.unsigned(syntax.mbWidth * syntax.mbHeight - firstBlock)
        return writer.annexB(header: 0x41)
    }
}
