/// A capture of sound: a seam that each platform implements.
///
/// All methods except `waker` are called on one thread, which does nothing else. The capture buffers a bounded amount
/// of sound; sound that is not read in time is lost and counted.
package protocol SoundCapturing: AnyObject {
    var origin: SoundOrigin { get }
    /// The format of the next sound, which may change with `deviceChanged`.
    var format: SoundFormat { get }
    /// The device's human-readable name.
    var deviceName: String { get }
    /// The number of sample frames that were lost because they were not read in time.
    var overrunFrames: UInt64 { get }

    /// Waits for sound, for `waker` or for `until`, whichever comes first.
    ///
    /// Throws `captureFailed` if there is nothing left to capture from. A switch to another device, or a reconnection
    /// to a sound server that is back, is not a failure.
    func next(until: Instant?) throws(HelioError) -> SoundCaptureEvent

    /// Ends a call of `next` in progress; if there is none, the following call returns at once. Callable on any thread.
    var waker: @Sendable () -> Void { get }
}

/// The event that ended a wait for sound.
package enum SoundCaptureEvent: Sendable {
    case sound(SoundBlock)
    /// The capture has switched to another device: see `format` and `deviceName`.
    case deviceChanged
    /// The sound server is gone; the capture waits until it is back.
    case deviceLost
    /// The instant `until` has passed.
    case timeout
    /// `waker` was called.
    case woken
}
