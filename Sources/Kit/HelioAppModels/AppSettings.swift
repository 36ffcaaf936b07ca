/// The user's settings, at the viewer and at the host.
public struct AppSettings: Hashable, Sendable {
    /// True if content follows two scrolling fingers, as on a phone; false if it scrolls in the opposite direction.
    public var naturalScrolling = true
    /// True if keys send the characters of this device's keyboard layout; false if they send key positions.
    public var typeAsText = false
    /// True if the host's sound is played on this device.
    public var playsSound = true
    /// True if all pictures are delayed to be in sync with the sound.
    public var waitsForSound = false
    /// True if this device only watches, even where it may drive.
    public var watchesOnly = false
    /// True if the sound that this machine plays is sent to viewers.
    public var sharesSound = true
    /// True if nobody may drive this machine.
    public var viewOnly = false
    /// True if the host is announced on the network.
    public var announces = true
    /// The host's name for viewers; empty to use the machine's name.
    public var name = ""

    /// Makes the default settings.
    public init() {}
}
