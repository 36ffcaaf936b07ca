/// How browsers are served: they find a page at this machine's address, show who lets them in, and then watch and drive
/// by WebRTC (docs/web/protocol.md).
public struct WebOptions: Sendable {
    /// A server that helps browser and host to find a way to each other, where there is no direct one.
    public struct ICEServer: Sendable {
        /// `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]` (RFC 7064, RFC 7065).
        public var url: String
        /// For TURN. Told to every browser that is let in.
        public var username: String
        /// For TURN. Told to every browser that is let in; is in no description of this value.
        public var password: String

        /// A server of STUN, or one of TURN where there are user name and password.
        public init(_ url: String, username: String = "", password: String = "") {
            self.url = url
            self.username = username
            self.password = password
        }
    }

    /// TCP port of the page; 0 picks a free one. `nil` is 8080, or a free one where that is taken.
    public var port: Int?
    /// The page comes by HTTPS, with this installation's own certificate, which browsers warn of.
    public var usesTLS = false
    /// None are needed on one network.
    public var iceServers: [ICEServer] = []

    /// Port 8080, by plain HTTP: who is let in is proven apart from it.
    public init() {}
}

extension WebOptions.ICEServer: CustomStringConvertible, CustomReflectable {
    /// The address alone.
    public var description: String { url }
    /// The address alone.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
