/// The reason why `PictureShaper` gave no picture, or replaced its session.
package enum ShaperLoss: String, Sendable, Hashable, CaseIterable {
    /// All pictures of the pool were in use: the encoder, or a link, is behind.
    case allInUse = "pictures-all-in-use"
    /// The session had become invalid, and another one took its place.
    case rebuilt = "rebuilt-scaler"
}
