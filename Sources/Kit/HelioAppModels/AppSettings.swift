/// What a person has set, at the viewer and at the host.
public struct AppSettings: Hashable, Sendable {
    /// Two fingers move the page, as on a phone, not the view over it.
    public var naturalScrolling = true
    /// Whether keys are typed by this keyboard's layout.
    public var typeAsText = false
    /// Whether the host's sound is played here.
    public var playsSound = true
    /// Whether pictures wait for their sound.
    public var waitsForSound = false
    /// Whether viewers hear this machine.
    public var sharesSound = true
    /// Whether nobody can drive this machine.
    public var viewOnly = false
    /// Whether the host is announced on the network.
    public var announces = true
    /// What the host calls itself.
    public var name = ""

    /// Makes it as it is at first.
    public init() {}
}
