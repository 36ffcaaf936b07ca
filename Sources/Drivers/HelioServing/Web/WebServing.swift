package import HelioCore
package import HelioOpenSSL
package import HelioPeer
package import HelioPeerPort
private import HelioSCTP
import HelioSession

/// What a `SourceServer` needs to serve browsers' viewers too.
package struct WebServing: Sendable {
    /// Open on the server's own event loop; stays the caller's to close.
    package var port: PeerPort
    /// By whose certificate the host is known: that of `WebSettings.fingerprint`.
    package var certificates: OpenSSLDTLS
    /// What each viewer's connection is made with.
    package var configuration: PeerConnectionConfiguration
    /// Streams of a viewer's data channels: several times as many as the page opens.
    static let streams: UInt16 = 64

    /// Called on the loop with what is to become of a viewer's WebSocket.
    package var order: @Sendable (ConnectionID, WebSocketOrder) -> Void

    package init(
        port: PeerPort, certificates: OpenSSLDTLS, configuration: PeerConnectionConfiguration,
        order: @escaping @Sendable (ConnectionID, WebSocketOrder) -> Void
    ) {
        self.port = port
        self.certificates = certificates
        self.configuration = configuration
        // A viewer has nothing to show: what it would send is held by nobody.
        self.configuration.receivesMedia = false
        self.configuration.dataChannels.association.streams = Self.streams
        self.order = order
    }
}
