/// The options of the endpoint for browsers: they open a page at this machine's address, authenticate, and then watch
/// and drive by WebRTC (docs/web/protocol.md).
public struct WebOptions: Sendable {
    /// A server that helps browser and host to find a path to each other, if there is no direct one.
    public struct ICEServer: Sendable {
        /// The server's address: `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]` (RFC 7064, RFC 7065).
        public var url: String
        /// The user name, for TURN. It is sent to every browser that is admitted.
        public var username: String
        /// The password, for TURN. It is sent to every browser that is admitted, and left out of descriptions of this
        /// value.
        public var password: String

        /// Makes a STUN server, or a TURN server with user name and password.
        public init(_ url: String, username: String = "", password: String = "") {
            self.url = url
            self.username = username
            self.password = password
        }
    }

    /// The TCP port of the page; 0 picks a free one. `nil` is 8080, or a free one if that is taken.
    public var port: Int?
    /// The UDP port of picture, sound and input by WebRTC; 0 picks a free one. `nil` is the number of the page's port,
    /// or a free one if that is taken. Media over TCP always use the page's port.
    public var mediaPort: Int?
    /// Names that the page may be opened by, besides this machine's own name and addresses: names of this machine in a
    /// VPN, or at a proxy in front of it. `*.NAME` allows all names below one.
    public var allowedHosts: [String] = []
    /// The IP addresses of proxies in front of the page: their `X-Forwarded-Proto`, `-Host` and `-For` headers are
    /// trusted.
    public var proxies: [String] = []
    /// Serves the page over HTTPS alone, with this installation's own certificate, which browsers warn about. Without
    /// it, HTTP and HTTPS are served at the same port.
    public var usesTLS = false
    /// The STUN and TURN servers; none are needed on one network.
    public var iceServers: [ICEServer] = []
    /// The secret shared with the TURN servers, as coturn's `use-auth-secret` has it. Each browser is sent a user name
    /// and a password of its own, made of the secret and valid for 12 hours, in place of those of `iceServers`. It is
    /// left out of descriptions of this value. Empty: there is none.
    public var turnSecret = ""

    /// Makes the default options: port 8080, or a free one if that is taken, with HTTP and HTTPS. Browsers authenticate
    /// the same way over both, without relying on TLS.
    public init() {}
}

extension WebOptions: CustomReflectable {
    /// A mirror of the options without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "port": port as Any, "mediaPort": mediaPort as Any, "allowedHosts": allowedHosts, "proxies": proxies,
                "usesTLS": usesTLS, "iceServers": iceServers,
            ])
    }
}

extension WebOptions.ICEServer: CustomStringConvertible, CustomReflectable {
    /// The server's address alone.
    public var description: String { url }
    /// A mirror of the server's address alone.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
