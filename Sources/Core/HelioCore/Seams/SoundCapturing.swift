/// A capture of sound: the seam that a platform fills.
///
/// All calls but those of `waker` come from one thread of its own. It holds a bounded amount of sound; what is not taken
/// in time is lost and counted.
package protocol SoundCapturing: AnyObject {
    var origin: SoundOrigin { get }
    /// The format of what is given next. May change with `deviceChanged`.
    var format: SoundFormat { get }
    /// The device's name, for people.
    var deviceName: String { get }
    /// How many sample frames were lost because nobody took them in time.
    var overrunFrames: UInt64 { get }

    /// Waits for sound, for `waker` or for `until`, whichever comes first.
    ///
    /// Throws `captureFailed` when there is nothing to capture from any more; what is followed to another device, or
    /// taken up again when the sound server is back, is no failure.
    func next(until: Instant?) throws(HelioError) -> SoundCaptureEvent

    /// Ends a `next` that is going on, or makes the next one return at once. Any thread.
    var waker: @Sendable () -> Void { get }
}

/// The event that ended a wait for sound.
package enum SoundCaptureEvent: Sendable {
    case sound(SoundBlock)
    /// Another device is captured now: see `format` and `deviceName`.
    case deviceChanged
    /// The sound server is gone, and is waited for.
    case deviceLost
    /// The time was up.
    case timeout
    /// `waker` was called.
    case woken
}
