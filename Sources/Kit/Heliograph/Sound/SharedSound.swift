internal import HelioCore
public import HelioSharing

/// A device whose sound is being captured, because somebody listens.
public struct SharedSound: Sendable, Hashable {
    /// The origin of the sound: the machine's playback, or a microphone.
    public let input: SoundInput
    /// The device's human-readable name.
    public let device: String
}
