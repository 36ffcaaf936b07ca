package import HelioCore
package import HelioRTP

/// An event of the connection to the server, or of the UDP sockets, that an RTSP client's driver reports to its engine.
package enum RTSPLinkEvent: Sendable {
    case connected
    /// The connection could not be opened, or has ended.
    case disconnected
    /// TLS found no certificate that this machine trusts, so that another try is useless.
    case refused(HelioError)
    case received([UInt8])
    /// The number of sent bytes that the system has taken.
    case written(Int)
    /// The two sockets requested by the last `.openPorts` are open on these ports.
    case portsOpen(rtp: UInt16, rtcp: UInt16)
    case portsFailed
    /// A datagram from the server's address and the ports that `.aim` named.
    case datagram([UInt8], RTPChannel, PlainTrack = .video)
    /// A datagram longer than the driver's limit.
    case truncatedDatagram
}
