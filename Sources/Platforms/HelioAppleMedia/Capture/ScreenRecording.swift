/// A recorder of this device's own screen, which has no displays or settings to choose: a shim over ReplayKit's
/// recorder in an app, or a recorder that is fed by a broadcast.
package protocol ScreenRecording<Buffer>: AnyObject, Sendable {
    associatedtype Buffer: Sendable

    /// Starts to record, for which the system may ask the person. Returns at once; `tell` gets the outcome and the
    /// events, on any thread.
    func start(_ tell: @escaping @Sendable (RecorderEvent<Buffer>) -> Void)
    /// Ends recording; events may still come.
    func stop()
}

/// An event of a screen recorder, reported on any thread; pictures come one at a time.
package enum RecorderEvent<Buffer: Sendable>: Sendable {
    /// The answer to `start`; `nil` if recording has begun.
    case answered(StreamStop?)
    /// A picture as the recorder delivers it, and the turn that sets it upright.
    case picture(Buffer, PictureTurn)
    /// The recorder stopped by itself.
    case stopped(StreamStop)
    /// The app left the screen, where it can't record.
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
    /// The picture could not be scaled or turned.
    case notShaped
    /// The picture has a size that no screen has.
    case wrongSize
}
