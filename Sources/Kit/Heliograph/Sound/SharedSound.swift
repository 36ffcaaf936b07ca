internal import HelioCore
public import HelioViewing

/// A device whose sound is captured now, as somebody hears it.
public struct SharedSound: Sendable, Hashable {
    /// Whether it is what the machine plays, or a microphone.
    public let input: SoundInput
    /// The device's name, for people.
    public let device: String
}
