package import HelioCore
package import HelioStores
package import HelioTLS
package import NIOCore

package struct LocalSignalingSettings: Sendable {
    /// The address to listen on.
    package var address: String
    package var port: PortChoice
    /// The identity for HTTPS; `nil` serves no HTTPS.
    package var identity: Identity?
    /// True if HTTP is served beside HTTPS, at the same port: the first byte of a connection shows which of the two the
    /// client uses. Has no effect without an identity.
    package var servesHTTP: Bool
    /// The files to serve; no others are served.
    package var files: [PageFile]
    /// The names of this machine that a request may use, besides its addresses and `localhost`. For each, its first
    /// label is accepted, too, alone or in a router's domain.
    package var names: [String]
    /// Further names that a request may use, and whose pages may connect, by any scheme and port; `*.NAME` stands for
    /// all names below NAME (`HostNames.isPattern`).
    package var allowedNames: [String] = []
    /// The trusted reverse proxies: only their `X-Forwarded-*` headers are used (`ForwardedRequest`).
    package var proxies: Set<IPAddress> = []
    /// Accepts connections that begin with an ICE-TCP packet, so that WebRTC needs no TCP port of its own; `nil` treats
    /// them as malformed requests. Called on the service's loop; an error closes the connection.
    package var takesMedia: (@Sendable (any Channel) throws -> Void)?

    /// The maximum number of connections of all kinds at once. Beyond it, unauthenticated clients are evicted.
    package var maximumConnections = 256
    /// Limits how often unauthenticated peers may connect, and begin TLS handshakes and WebSockets. A host passes one
    /// limit to all of its ports; the default is a separate limit.
    package var strangers = StrangerLimit()
    /// The longest time that each request may take to arrive; for the first one, the TLS handshake is included.
    package var requestTimeout = Duration.seconds(10)
    /// The longest time that a client may take to read a response.
    package var answerTimeout = Duration.seconds(20)
    /// The longest wait for the peer to close its side of the connection.
    package var closeTimeout = Duration.seconds(2)
    /// The interval of pings. A peer that has not answered a ping when the next ping is due is disconnected.
    package var pingInterval = Duration.seconds(20)
    /// The longest message in bytes, fragmented or not.
    package var maximumMessage = 64 << 10
    package var messageBurst = 100
    package var messagesPerSecond = 20.0
    /// The message that is sent to a peer with too many messages before it is disconnected.
    package var floodNotice = Array(#"{"type":"error","message":"Too many messages."}"#.utf8)
    /// The maximum number of bytes queued for one connection.
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
