/// A server that helps to find a way to the peer: one of STUN tells how this end is seen from outside, one of TURN
/// relays what finds no other way.
public struct ICEServer: Sendable {
    /// `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]` (RFC 7064, RFC 7065); by TLS
    /// `turns:HOST[:PORT]`. The usual port is 3478, and 5349 by TLS. A name is asked at its addresses of IPv4 and of IPv6.
    public var url: String
    /// For TURN.
    public var username: String
    /// For TURN. Is in no description of this value.
    public var password: String

    /// A server of STUN, or one of TURN where there are user name and password.
    public init(_ url: String, username: String = "", password: String = "") {
        self.url = url
        self.username = username
        self.password = password
    }
}

extension ICEServer: CustomStringConvertible, CustomReflectable {
    /// The address alone.
    public var description: String { url }
    /// The address alone.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
