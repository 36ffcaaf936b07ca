/// An output of sound: the seam that a platform fills. It asks for samples when it is about to play them.
///
/// Calls come from one thread; `render`, which it was opened with, is called on a thread of the output's own.
package protocol SoundPlaying: AnyObject {
    /// The format in which it asks for samples.
    var format: SoundFormat { get }
    /// The device's name, for people.
    var deviceName: String { get }
    /// The time from `render` until its first sample is heard, as last known.
    var latency: Duration { get }
    /// How often the device ran out of samples.
    var underruns: UInt64 { get }
    /// The state of the device.
    var state: SoundOutputState { get }

    /// Stops asking; the device is let go of.
    func stop()
}

/// What an output plays from: fills the samples, interleaved, all of them, of which the first is heard at the instant.
/// Must not block.
package typealias SoundRenderer = @Sendable (_ samples: inout MutableSpan<Float>, _ heard: Instant) -> Void

package enum SoundOutputState: Sendable, Hashable {
    case playing
    /// The device or its server is gone, and is waited for.
    case lost
}

/// A device that plays or captures, for people to choose from.
package struct SoundDevice: Sendable, Hashable {
    /// The name by which it is chosen.
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
