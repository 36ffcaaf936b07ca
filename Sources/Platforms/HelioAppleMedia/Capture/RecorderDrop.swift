/// A reason that a picture of a recorder went no further.
package enum RecorderDrop: String, CaseIterable, Sendable {
    /// Nobody captures now.
    case notWanted
    /// As many pictures as may be were in use.
    case noRoom
    /// It was not to be scaled or turned.
    case notShaped
    /// Of a size that is no screen's.
    case wrongSize
}
