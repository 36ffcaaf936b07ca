/// A server that helps to find a path between two ends of WebRTC: a STUN server reports an end's public address, and a
/// TURN server relays data if no direct path works.
public struct ICEServer: Sendable {
    /// The server's address: `stun:HOST[:PORT]`, `turn:HOST[:PORT][?transport=udp|tcp]`, or `turns:HOST[:PORT]` for TLS
    /// (RFC 7064, RFC 7065). The default port is 3478, for TLS 5349. A host name is resolved to IPv4 and IPv6
    /// addresses, and all of them are tried.
    public var url: String
    /// The user name, for TURN. A host's page sends it to every browser that is admitted.
    public var username: String
    /// The password, for TURN. A host's page sends it to every browser that is admitted. It is left out of descriptions
    /// of this value.
    public var password: String

    /// Makes a STUN server, or a TURN server with user name and password.
    public init(_ url: String, username: String = "", password: String = "") {
        self.url = url
        self.username = username
        self.password = password
    }
}

extension ICEServer: CustomStringConvertible, CustomReflectable {
    /// The server's address alone.
    public var description: String { url }
    /// A mirror of the server's address alone.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
