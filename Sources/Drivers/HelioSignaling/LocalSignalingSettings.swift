package import HelioCore
package import HelioStores
package import HelioTLS
package import NIOCore

/// The settings of a `LocalSignalingService`.
package struct LocalSignalingSettings: Sendable {
    /// The address to listen on.
    package var address: String
    package var port: PortChoice
    /// The identity for HTTPS; `nil`: nothing is served by that.
    package var identity: Identity?
    /// True where HTTP is served beside HTTPS, at the same port: the first byte of a connection tells which it is. Of no
    /// effect without an identity.
    package var servesHTTP: Bool
    /// The files that are served, and nothing else.
    package var files: [PageFile]
    /// The names of this machine that a request may use, beside its addresses and `localhost`. For each, its first
    /// label and that with `.local` do as well.
    package var names: [String]
    /// Names that a request may use as well, and whose pages may connect, by whatever scheme and port; `*.NAME` stands
    /// for all names below one (`HostNames.isPattern`).
    package var allowedNames: [String] = []
    /// The proxies that may say what a request came by (`ForwardedRequest`).
    package var proxies: Set<IPAddress> = []
    /// Takes connections that begin with a packet of ICE by TCP, so that WebRTC needs no TCP port of its own; `nil`:
    /// they are malformed requests. Called on the service's loop; an error closes the connection.
    package var takesMedia: (@Sendable (any Channel) throws -> Void)?

    /// The most connections at once, whatever they do. Beyond that, strangers are evicted.
    package var maximumConnections = 256
    /// The limit of TLS handshakes and WebSockets that strangers may begin: the host's, for all of its ports.
    package var handshakes = HandshakeLimit()
    /// The longest that a request may take to arrive, TLS included; and the next one.
    package var requestTimeout = Duration.seconds(10)
    /// The longest that a response may take to be read.
    package var answerTimeout = Duration.seconds(20)
    /// The longest to wait for the other end's part in closing.
    package var closeTimeout = Duration.seconds(2)
    /// The interval of pings; a peer that has not answered one by the next is disconnected.
    package var pingInterval = Duration.seconds(20)
    /// The longest message in bytes, fragmented or not.
    package var maximumMessage = 64 << 10
    package var messageBurst = 100
    package var messagesPerSecond = 20.0
    /// The message to a peer that sends too many, before it is disconnected.
    package var floodNotice = Array(#"{"type":"error","message":"Too many messages."}"#.utf8)
    /// The most bytes that may wait to be taken by one connection.
    package var maximumWaiting = 256 << 10

    package init(
        address: String, port: PortChoice = .preferably(8080), identity: Identity? = nil, servesHTTP: Bool = false,
        files: [PageFile],
        names: [String] = HostNames.ofThisMachine()
    ) {
        self.address = address
        self.port = port
        self.identity = identity
        self.servesHTTP = servesHTTP
        self.files = files
        self.names = names
    }
}
