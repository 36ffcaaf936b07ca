/// The reason why a picture of a recorder was dropped.
package enum RecorderDrop: String, CaseIterable, Sendable {
    /// No capture is in progress.
    case notWanted
    /// All pictures of the pool were in use.
    case noRoom
    /// The picture could not be scaled or turned.
    case notShaped
    /// The picture has a size that no screen has.
    case wrongSize
}
