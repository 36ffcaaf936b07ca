/// An output of sound: a seam that each platform implements. It requests samples shortly before it plays them.
///
/// Calls come from one thread; `render`, the closure that it was opened with, is called on a thread of the output's
/// own.
package protocol SoundPlaying: AnyObject {
    /// The format of the requested samples.
    var format: SoundFormat { get }
    /// The device's name, for people.
    var deviceName: String { get }
    /// The latest known time from `render` until its first sample is heard.
    var latency: Duration { get }
    /// The number of times that the device ran out of samples.
    var underruns: UInt64 { get }
    /// `lost` while the device or its server is gone, otherwise `playing`.
    var state: SoundOutputState { get }

    /// Stops playback and releases the device.
    func stop()
}

/// Supplies an output's samples: fills all of `samples`, interleaved; the first is heard at `heard`. Must not block.
package typealias SoundRenderer = @Sendable (_ samples: inout MutableSpan<Float>, _ heard: Instant) -> Void

package enum SoundOutputState: Sendable, Hashable {
    case playing
    /// The device or its server is gone; the output waits until it is back.
    case lost
}

/// A device that plays or captures, for people to choose from.
package struct SoundDevice: Sendable, Hashable {
    /// The identifier with which the device is chosen.
    package var id: String
    /// The description for people.
    package var name: String
    package var isDefault: Bool

    package init(id: String, name: String, isDefault: Bool) {
        self.id = id
        self.name = name
        self.isDefault = isDefault
    }
}
