internal import HelioCore
public import HelioSharing

/// A device whose sound is being captured, because somebody hears it.
public struct SharedSound: Sendable, Hashable {
    /// The kind of sound: what the machine plays, or a microphone.
    public let input: SoundInput
    /// The device's name, for people.
    public let device: String
}
