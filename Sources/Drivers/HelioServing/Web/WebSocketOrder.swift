/// What the host wants of a browser's WebSocket.
package enum WebSocketOrder: Sendable {
    /// One text message.
    case send([UInt8])
    /// Ends it, once what was sent is out.
    case close
}
