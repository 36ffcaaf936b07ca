/// A global object that a compositor offers.
package struct WaylandGlobal: Sendable, Hashable {
    /// The most globals that are kept; compositors have about 60.
    static let most = 512

    package var name: UInt32
    package var interface: String
    package var version: UInt32
}

/// The reason why something from a compositor was dropped.
package enum WaylandDrop: String, CaseIterable, Hashable, Sendable {
    /// An event of an object that this client does not know.
    case unknownObject = "wayland-unknown-object"
    /// An object of the compositor's whose identifier is not one of its own, or that is one too many.
    case objectRefused = "wayland-object-refused"
    /// A global beyond the limit, or with an overlong name.
    case globalRefused = "wayland-global-refused"
    /// An event that can't be read; it ends the connection.
    case malformed = "wayland-malformed"
}
