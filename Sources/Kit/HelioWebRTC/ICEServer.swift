/// A server that helps to find a path to the peer: a STUN server tells this end's address as seen from outside, and a
/// TURN server relays where no other path works.
public struct ICEServer: Sendable {
    /// The server's address: `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]` (RFC 7064, RFC 7065); by TLS
    /// `turns:HOST[:PORT]`. The usual port is 3478, and 5349 by TLS. A host name is tried at its addresses of IPv4 and
    /// of IPv6.
    public var url: String
    /// The user name, for TURN.
    public var username: String
    /// The password, for TURN. It is left out of descriptions of this value.
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
