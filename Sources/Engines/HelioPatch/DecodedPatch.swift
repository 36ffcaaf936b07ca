package import HelioCore

/// What a picture that was decoded by `PatchDecoder` changed of the one before.
package struct DecodedPatch: Sendable, Equatable {
    /// Content that only moved, up or down.
    package struct Scroll: Sendable, Equatable {
        /// Where the moved content is now, in pixels and whole macroblocks.
        package var rects: [PixelRect]
        /// The lines by which it was further down before.
        package var motion: Int

        package init(rects: [PixelRect], motion: Int) {
            self.rects = rects
            self.motion = motion
        }
    }

    /// What was coded anew, in pixels and whole macroblocks.
    package var coded: Region
    /// What was moved before that; `nil` where nothing was.
    package var scroll: Scroll?
}
