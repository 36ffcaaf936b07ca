/// Why a picture was not shown, or a refresh left as it was.
package enum PresentDrop: String, Sendable, Hashable, CaseIterable {
    /// A newer one came before it was drawn.
    case superseded = "picture-superseded"
    /// As many as may be were still being drawn: the refresh shows what it showed before.
    case inFlight = "graphics-busy"
    /// There were no textures for it, or no texture cache.
    case noTextures = "no-textures"
    /// Its drawing couldn't be begun.
    case notDrawn = "not-drawn"
    /// The graphics processor failed.
    case failed = "graphics-failed"
}
