package import HelioCore

/// What a connection wants of its way to a TURN server.
package enum RelayCommand: Sendable, Hashable {
    /// A socket or connection of its own; one that was open before is closed.
    ///
    /// - Parameter tlsName: by TLS, with a server that this name is vouched for; an IP address counts as a name.
    case open(TransportAddress, isTCP: Bool, tlsName: String?)
    case send([UInt8])
    case close
}

/// What happens on the way to a TURN server.
package enum RelayEvent: Sendable, Hashable {
    /// The connection is there; by UDP, the socket.
    case connected
    /// A datagram, or a piece of the stream.
    case received([UInt8])
    /// It could not be opened, or has ended.
    case disconnected
    /// By TLS: whom it leads to is not the server.
    case untrusted
}
