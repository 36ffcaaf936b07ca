internal import HelioAppModels

/// The options of a session, from the user's settings.
public struct SessionOptions: Hashable, Sendable {
    /// True if the host's sound is played.
    public var playsSound = true
    /// True if all pictures are delayed to be in sync with the sound.
    public var waitsForSound = false
    /// True to watch only, even if the host lets this device drive.
    public var watchesOnly = false
    /// True if keys send the characters of this device's keyboard layout; false if they send key positions.
    public var typesText = false

    /// Makes the default options.
    public init() {}

    init(_ settings: AppSettings) {
        playsSound = settings.playsSound
        waitsForSound = settings.waitsForSound
        typesText = settings.typeAsText
        watchesOnly = settings.watchesOnly
    }
}
