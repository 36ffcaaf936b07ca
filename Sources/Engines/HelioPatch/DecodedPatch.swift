package import HelioCore

/// The changes that a picture decoded by `PatchDecoder` makes to its predecessor.
package struct DecodedPatch: Sendable, Equatable {
    /// Content that moved up or down without any other change.
    package struct Scroll: Sendable, Equatable {
        /// The new position of the moved content, in pixels, aligned to macroblocks.
        package var rects: [PixelRect]
        /// The number of lines by which the content was further down before; negative if it was further up.
        package var motion: Int

        package init(rects: [PixelRect], motion: Int) {
            self.rects = rects
            self.motion = motion
        }
    }

    /// The region of newly coded content, in pixels, aligned to macroblocks.
    package var coded: Region
    /// The content that only moved; `nil` if none did. To update a copy of the picture, first move this content, then
    /// copy `coded`.
    package var scroll: Scroll?
}
