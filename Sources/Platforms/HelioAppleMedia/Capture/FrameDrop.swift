/// The reason why a captured frame was dropped.
package enum FrameDrop: String, CaseIterable, Sendable {
    /// A newer frame came before this one was taken; the damage is kept.
    case replaced
    /// The frame came from a stream that had been stopped.
    case afterStop
    /// The frame has another size than requested: the stream has not changed yet.
    case otherSize
    /// The frame was marked as having a picture, and had none.
    case withoutPicture
}
