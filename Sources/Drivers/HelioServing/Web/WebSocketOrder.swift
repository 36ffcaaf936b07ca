/// An order of the host's for a browser's WebSocket.
package enum WebSocketOrder: Sendable {
    /// Sends one text message.
    case send([UInt8])
    /// Closes the WebSocket, once the messages sent before are out.
    case close
}
