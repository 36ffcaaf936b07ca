/// An entry of `iceServers`, as in `RTCConfiguration`. Descriptions omit the credential.
public struct ICEServerEntry: Hashable, Sendable {
    /// The URLs, at most 16, each of at most 512 bytes. On the wire, a single URL may be a string instead of an array.
    public var urls: [String]
    /// The user name, at most 512 bytes, like the credential.
    public var username: String?
    /// The password that belongs to the user name.
    public var credential: String?

    /// Makes an entry; STUN servers need no user name.
    public init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }
}

extension ICEServerEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A word that reveals nothing of the server.
    public var description: String { "ice-server" }
    /// The same word.
    public var debugDescription: String { description }
    /// A mirror without fields.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
