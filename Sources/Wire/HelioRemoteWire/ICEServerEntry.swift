/// An entry of `iceServers`, as in `RTCConfiguration`. Descriptions omit the credential.
package struct ICEServerEntry: Hashable, Sendable {
    /// The URLs, at most 16, each of at most 512 bytes. On the wire, a single URL may be a string instead of an array.
    package var urls: [String]
    /// The user name, at most 512 bytes, like the credential.
    package var username: String?
    package var credential: String?

    package init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }
}

extension ICEServerEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ice-server" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
