/// A command of the host to the driver of a browser's WebSocket.
package enum WebSocketOrder: Sendable {
    /// Send one text message.
    case send([UInt8])
    /// Close the WebSocket, once the messages queued before are sent.
    case close
}
