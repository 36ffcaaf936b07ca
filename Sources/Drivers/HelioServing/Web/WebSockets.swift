package import HelioCore

/// The WebSockets of the viewers in browsers. Called on the server's event loop; a command for a WebSocket that has
/// ended does nothing.
package protocol WebSockets: Sendable {
    /// Sends one text message.
    func send(_ message: [UInt8], to viewer: ConnectionID)
    /// Closes a WebSocket, once the messages queued before are sent.
    func close(_ viewer: ConnectionID)
}
