/// What happens on the way to a TURN server.
package enum TURNLinkEvent: Sendable {
    /// The connection is there; by UDP, the socket.
    case connected
    /// A datagram, or a piece of the stream.
    case received([UInt8])
    /// It could not be opened, or has ended.
    case disconnected
}
