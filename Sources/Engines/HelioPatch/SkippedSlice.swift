/// A slice of skipped macroblocks only, so that all of them are unchanged from the previous picture. It replaces the
/// lost slices of a picture.
package enum SkippedSlice {
    /// Writes the slice as an Annex-B NAL unit. It covers all macroblocks from `firstBlock` on, which must be the first
    /// of a row.
    ///
    /// The macroblocks don't move, as the motion of skipped macroblocks is predicted from neighbours in the same slice,
    /// none of which moves.
    ///
    /// - Parameter frameNumber: the `frame_num` of the picture's other slices.
    package static func annexB(_ syntax: PatchSyntax, from firstBlock: Int, frameNumber: Int) -> [UInt8] {
        var writer = SliceWriter(capacity: 64)
        writer.begin(syntax, firstBlock: firstBlock, frameNumber: frameNumber, qp: syntax.initialQP)
        writer.unsigned(syntax.mbWidth * syntax.mbHeight - firstBlock)
        return writer.annexB(header: 0x41)
    }
}
