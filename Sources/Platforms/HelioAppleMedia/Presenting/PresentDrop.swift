/// The reason why a picture was not shown, or a refresh was skipped.
package enum PresentDrop: String, Sendable, Hashable, CaseIterable {
    /// A newer picture came before this one was drawn.
    case superseded = "picture-superseded"
    /// The most drawings were in flight: the refresh shows the picture before.
    case inFlight = "graphics-busy"
    /// There were no textures for the picture, or no texture cache.
    case noTextures = "no-textures"
    /// The drawing could not begin.
    case notDrawn = "not-drawn"
    /// The graphics processor failed.
    case failed = "graphics-failed"
}
