internal import HelioCore

/// Content of a picture that only moved, up or down.
struct PictureScroll: Sendable, Equatable {
    /// Where it is now, in pixels of the picture.
    var rects: [PixelRect]
    /// The lines by which it was further down before.
    var motion: Int
}
