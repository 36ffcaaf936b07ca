/// An event of a `TLSHandler` for the handlers behind it, beside bytes.
package enum TLSEvent: Sendable {
    /// The handshake is complete: the peer is the right one, and it alone can read what is written from now on.
    case handshakeCompleted
}
