/// The reasons for which `PictureShaper` gives no picture, or does anew what it had.
package enum ShaperLoss: String, Sendable, Hashable, CaseIterable {
    /// All pictures of the pool were in use: the encoder, or a link, is behind.
    case allInUse = "pictures-all-in-use"
    /// The session was of no use any more, and another one took its place.
    case rebuilt = "rebuilt-scaler"
}
