/// A user event from a `TLSHandler` to the handlers behind it.
package enum TLSEvent: Sendable {
    /// The handshake is complete: the peer is authenticated, and bytes written from now on are encrypted for it.
    case handshakeCompleted
}
