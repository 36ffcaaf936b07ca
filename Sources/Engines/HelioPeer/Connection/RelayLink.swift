package import HelioCore

/// A command to the driver about the connection to a TURN server.
package enum RelayCommand: Sendable, Hashable {
    /// Opens a socket or connection for this server alone, after closing its previous one.
    ///
    /// - Parameter tlsName: the name that the server's certificate must prove, where TLS is used; an IP address counts
    ///   as a name.
    case open(TransportAddress, isTCP: Bool, tlsName: String?)
    case send([UInt8])
    case close
}

/// An event of the connection to a TURN server.
package enum RelayEvent: Sendable, Hashable {
    /// The connection is established, or the UDP socket is open.
    case connected
    /// A datagram, or a piece of the stream.
    case received([UInt8])
    /// The connection could not be opened, or has ended.
    case disconnected
    /// The TLS certificate is not the server's.
    case untrusted
}
