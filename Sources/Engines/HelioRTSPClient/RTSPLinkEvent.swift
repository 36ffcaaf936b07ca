package import HelioCore
package import HelioRTP

/// An event of the connection to the server or of the UDP sockets, reported by an RTSP client's driver to its engine.
package enum RTSPLinkEvent: Sendable {
    case connected
    /// The connection could not be opened, or has ended.
    case disconnected
    /// The server's TLS certificate is not trusted, so a retry would fail too.
    case refused(HelioError)
    case received([UInt8])
    /// The number of bytes that the kernel has newly accepted.
    case written(Int)
    /// The two sockets requested by the last `.openPorts` are open on these ports.
    case portsOpen(rtp: UInt16, rtcp: UInt16)
    case portsFailed
    /// A datagram from the server's address and the ports in `.aim`.
    case datagram([UInt8], RTPChannel, PlainTrack = .video)
    /// A datagram longer than the driver's limit.
    case truncatedDatagram
}
