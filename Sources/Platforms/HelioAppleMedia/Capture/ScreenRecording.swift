/// A recorder of this device's own screen, without a choice of displays or settings: a shim over ReplayKit's recorder
/// in an app, or a recorder that gets a broadcast's pictures.
package protocol ScreenRecording<Buffer>: AnyObject, Sendable {
    associatedtype Buffer: Sendable

    /// Starts recording; the system may first ask the user for permission. Returns at once; `tell` gets the outcome and
    /// the events, on any thread.
    func start(_ tell: @escaping @Sendable (RecorderEvent<Buffer>) -> Void)
    /// Ends recording. Events may still arrive afterwards.
    func stop()
}

/// An event of a screen recorder, reported on any thread; pictures are reported one at a time.
package enum RecorderEvent<Buffer: Sendable>: Sendable {
    /// The answer to `start`; `nil` if recording has begun.
    case answered(StreamStop?)
    /// A picture as the recorder delivers it, and the rotation that makes it upright.
    case picture(Buffer, PictureTurn)
    /// The recorder stopped by itself.
    case stopped(StreamStop)
    /// The app left the screen, so it can't record.
    case left
    /// The app is on the screen again.
    case returned
}

/// The reason why a picture of a recorder was dropped.
package enum RecorderDrop: String, CaseIterable, Sendable {
    /// No capture is in progress.
    case notWanted
    /// All pictures of the pool were in use.
    case noRoom
    /// The picture could not be scaled or rotated.
    case notShaped
    /// The picture's size is not one that a screen can have.
    case wrongSize
}
