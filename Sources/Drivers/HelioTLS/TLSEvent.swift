/// What a `TLSHandler` tells the handlers behind it, beside bytes.
package enum TLSEvent: Sendable {
    /// The peer is the right one, and what is written from now on is read by it alone.
    case handshakeCompleted
}
