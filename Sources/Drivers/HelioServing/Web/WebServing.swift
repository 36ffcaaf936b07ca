package import HelioCore
package import HelioPeerPort

/// The WebRTC port and the WebSockets by which a `SourceServer` also serves viewers in browsers.
package struct WebServing: Sendable {
    /// The WebRTC port, open on the server's own event loop; the caller closes it.
    package var port: PeerPort
    /// Called on the loop with a command for a viewer's WebSocket.
    package var order: @Sendable (ConnectionID, WebSocketOrder) -> Void

    package init(port: PeerPort, order: @escaping @Sendable (ConnectionID, WebSocketOrder) -> Void) {
        self.port = port
        self.order = order
    }
}
