/// The user's settings, at the viewer and at the host.
public struct AppSettings: Hashable, Sendable {
    /// True if content follows two scrolling fingers, as on a phone; false if it moves the other way.
    public var naturalScrolling = true
    /// True if keys send characters by this keyboard's layout.
    public var typeAsText = false
    /// True if the host's sound is played on this device.
    public var playsSound = true
    /// True if all pictures are delayed to be in sync with the sound.
    public var waitsForSound = false
    /// True if viewers hear this machine.
    public var sharesSound = true
    /// True if nobody may drive this machine.
    public var viewOnly = false
    /// True if the host is announced on the network.
    public var announces = true
    /// The host's name; empty for the machine's own.
    public var name = ""

    /// Makes the default settings.
    public init() {}
}
