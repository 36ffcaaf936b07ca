package import HelioCore

/// The changes that a picture decoded by `PatchDecoder` makes to the one before.
package struct DecodedPatch: Sendable, Equatable {
    /// Content that only moved, up or down.
    package struct Scroll: Sendable, Equatable {
        /// The present position of the moved content, in pixels and whole macroblocks.
        package var rects: [PixelRect]
        /// The number of lines further down at which the content was before; negative: further up.
        package var motion: Int

        package init(rects: [PixelRect], motion: Int) {
            self.rects = rects
            self.motion = motion
        }
    }

    /// The newly coded content, in pixels and whole macroblocks.
    package var coded: Region
    /// The content that only moved, to be moved before `coded` is copied; `nil` if none moved.
    package var scroll: Scroll?
}
