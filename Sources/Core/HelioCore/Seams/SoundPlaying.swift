/// An output of sound: a seam that each platform implements. The output requests samples shortly before it plays them.
///
/// All methods are called on one thread. The output calls `render`, the closure that was passed when the output was
/// opened, on its own thread.
package protocol SoundPlaying: AnyObject {
    /// The format of the requested samples.
    var format: SoundFormat { get }
    /// The device's human-readable name.
    var deviceName: String { get }
    /// The latest measured time from a call of `render` to the playback of its first sample.
    var latency: Duration { get }
    /// The number of times that the device ran out of samples.
    var underruns: UInt64 { get }
    /// `lost` while the device or its server is gone, otherwise `playing`.
    var state: SoundOutputState { get }

    /// Stops playback and releases the device.
    func stop()
}

/// A closure that supplies an output's samples: it fills all of `samples`, interleaved. The first sample is played at
/// `heard`. Must not block.
package typealias SoundRenderer = @Sendable (_ samples: inout MutableSpan<Float>, _ heard: Instant) -> Void

package enum SoundOutputState: Sendable, Hashable {
    case playing
    /// The device or its server is gone; the output waits until it is back.
    case lost
}

/// A sound device that the user can choose for playback or capture.
package struct SoundDevice: Sendable, Hashable {
    /// The identifier with which the device is chosen.
    package var id: String
    /// The human-readable description.
    package var name: String
    package var isDefault: Bool

    package init(id: String, name: String, isDefault: Bool) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
    }
}
