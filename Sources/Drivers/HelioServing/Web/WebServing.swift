package import HelioCore
package import HelioPeerPort

/// What a `SourceServer` needs to serve browsers' viewers too.
package struct WebServing: Sendable {
    /// Open on the server's own event loop; stays the caller's to close.
    package var port: PeerPort
    /// Called on the loop with what is to become of a viewer's WebSocket.
    package var order: @Sendable (ConnectionID, WebSocketOrder) -> Void

    package init(port: PeerPort, order: @escaping @Sendable (ConnectionID, WebSocketOrder) -> Void) {
        self.port = port
        self.order = order
    }
}
