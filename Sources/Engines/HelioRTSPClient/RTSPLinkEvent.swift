package import HelioCore
package import HelioRTP

/// An event of the connection to the server, or of the UDP sockets, that an RTSP client's driver reports to its engine.
package enum RTSPLinkEvent: Sendable {
    case connected
    /// There is no connection, or it has ended.
    case disconnected
    /// TLS found no certificate that this machine trusts: there is no use in trying again.
    case refused(HelioError)
    case received([UInt8])
    /// The system has taken so many bytes of what was sent.
    case written(Int)
    /// The two sockets that were asked for last are open on these ports.
    case portsOpen(rtp: UInt16, rtcp: UInt16)
    case portsFailed
    /// A datagram from the server's address and the ports that `.aim` named.
    case datagram([UInt8], RTPChannel, PlainTrack = .video)
    /// A datagram longer than the driver takes.
    case truncatedDatagram
}
