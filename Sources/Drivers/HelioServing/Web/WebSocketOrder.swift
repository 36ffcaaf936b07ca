/// An order of the host to the driver of a browser's WebSocket.
package enum WebSocketOrder: Sendable {
    /// Sends one text message.
    case send([UInt8])
    /// Closes the WebSocket, once the messages queued before are sent.
    case close
}
