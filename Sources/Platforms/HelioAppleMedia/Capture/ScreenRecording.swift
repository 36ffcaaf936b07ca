/// A recorder of this device's own screen, which tells of no displays and takes no wishes: a shim over ReplayKit's recorder
/// in an app, or what feeds on a broadcast.
package protocol ScreenRecording<Buffer>: AnyObject, Sendable {
    associatedtype Buffer: Sendable

    /// Starts to record, which may ask the person. Returns at once: what becomes of it is told to `tell`, on any thread.
    func start(_ tell: @escaping @Sendable (RecorderEvent<Buffer>) -> Void)
    /// Ends it; events may come all the same.
    func stop()
}

/// What a recorder of the screen tells, from any thread; pictures one at a time.
package enum RecorderEvent<Buffer: Sendable>: Sendable {
    /// The answer to `start`; `nil`: it records.
    case answered(StreamStop?)
    /// A picture as the recorder has it, and what sets it upright.
    case picture(Buffer, PictureTurn)
    /// It stopped by itself.
    case stopped(StreamStop)
    /// The app left the screen, where it can't record.
    case left
    /// The app is on the screen again.
    case returned
}
