package import HelioPeerPort

/// The WebRTC port and the WebSockets by which a `SourceServer` also serves viewers in browsers.
package struct WebServing: Sendable {
    /// The WebRTC port, open on the server's own event loop; the caller closes it.
    package var port: PeerPort
    package var sockets: any WebSockets

    package init(port: PeerPort, sockets: any WebSockets) {
        self.port = port
        self.sockets = sockets
    }
}
