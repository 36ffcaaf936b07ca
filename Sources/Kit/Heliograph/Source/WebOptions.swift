public import HelioCore

/// The options of the endpoint for browsers. A browser opens a page at this machine's address and authenticates; its
/// user then watches and drives over WebRTC (docs/web/protocol.md).
public struct WebOptions: Sendable {
    /// The TCP port of the page; 0 picks a free port. `nil` uses 8080, or a free port if 8080 is in use.
    public var port: Int?
    /// The UDP port of picture, sound and input over WebRTC; 0 picks a free port. `nil` uses the number of the page's
    /// port, or a free port if that is in use. WebRTC over TCP always uses the page's port.
    public var mediaPort: Int?
    /// The host names under which the page may be opened, in addition to this machine's own name and addresses: for
    /// example its name in a VPN, or the name of a reverse proxy. `*.NAME` allows all subdomains of a name.
    public var allowedHosts: [String] = []
    /// The IP addresses of the trusted reverse proxies in front of the page: only their `X-Forwarded-Proto`, `-Host`
    /// and `-For` headers are used.
    public var proxies: [String] = []
    /// True to serve the page over HTTPS only, with this installation's self-signed certificate, which browsers warn
    /// about. If false, the same port serves HTTP and HTTPS.
    public var usesTLS = false
    /// The STUN and TURN servers. None are needed if all browsers are on this machine's network.
    public var iceServers: [ICEServer] = []
    /// The secret shared with the TURN servers, as with coturn's `use-auth-secret`. Each browser is sent a user name
    /// and password derived from the secret, valid for 12 hours, instead of those in `iceServers`. The secret is left
    /// out of this value's description. Empty if there is no secret.
    public var turnSecret = ""

    /// Makes the default options: port 8080, or a free port if that is in use, with HTTP and HTTPS. The browsers'
    /// authentication is the same over both and does not rely on TLS.
    public init() {}
}

extension WebOptions: CustomReflectable {
    /// A mirror of the options without `turnSecret`, so that printing them does not reveal it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "port": port as Any, "mediaPort": mediaPort as Any, "allowedHosts": allowedHosts, "proxies": proxies,
                "usesTLS": usesTLS, "iceServers": iceServers,
            ])
    }
}
