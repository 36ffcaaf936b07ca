/// A reason that a captured frame was thrown away.
package enum FrameDrop: String, CaseIterable, Sendable {
    /// A newer one came before it was taken; its damage is kept.
    case replaced
    /// It came from a stream that had been stopped.
    case afterStop
    /// It has another size than asked for: the stream has not changed yet.
    case otherSize
    /// It said that it has a picture, and had none.
    case withoutPicture
}
