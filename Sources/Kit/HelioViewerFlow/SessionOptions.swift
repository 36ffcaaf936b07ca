internal import HelioAppModels

/// How a session begins, by the person's settings.
public struct SessionOptions: Hashable, Sendable {
    /// Whether the host's sound is played.
    public var playsSound = true
    /// Whether pictures wait for their sound.
    public var waitsForSound = false
    /// Whether keys are typed by this keyboard's layout.
    public var typesText = false

    /// Makes them as they are at first.
    public init() {}

    init(_ settings: AppSettings) {
        playsSound = settings.playsSound
        waitsForSound = settings.waitsForSound
        typesText = settings.typeAsText
    }
}
