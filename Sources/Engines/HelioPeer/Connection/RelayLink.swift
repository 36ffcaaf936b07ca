package import HelioCore

/// A command to the driver for the transport connection to a TURN server.
package enum RelayCommand: Sendable, Hashable {
    /// Closes the previous socket or connection to this server, if any, and opens a new one.
    ///
    /// - Parameter tlsName: the name or IP address that the server's certificate must contain; `nil` without TLS.
    case open(TransportAddress, isTCP: Bool, tlsName: String?)
    case send([UInt8])
    case close
}

/// An event of the transport connection to a TURN server.
package enum RelayEvent: Sendable, Hashable {
    /// The connection is established, or the UDP socket is open.
    case connected
    /// A received datagram, or bytes of a TCP stream.
    case received([UInt8])
    /// The connection could not be opened, or has ended.
    case disconnected
    /// The server's TLS certificate could not be verified.
    case untrusted
}
