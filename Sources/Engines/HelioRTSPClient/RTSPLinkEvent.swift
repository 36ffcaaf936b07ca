package import HelioCore
package import HelioRTP
import HelioRTSP

/// What an RTSP client's driver tells its engine of the connection to the server, and of its UDP sockets.
package enum RTSPLinkEvent: Sendable {
    case connected
    /// There is no connection, or it has ended.
    case disconnected
    /// There is none, since TLS found nobody there whom this machine trusts: there is no use in trying again.
    case refused(HelioError)
    case received([UInt8])
    /// The system has taken so many bytes of what was sent.
    case written(Int)
    /// Two sockets are open on these ports.
    case portsOpen(rtp: UInt16, rtcp: UInt16)
    case portsFailed
    /// From the server's address and the ports that `.aim` named.
    case datagram([UInt8], RTPChannel)
    /// One that was longer than the driver takes.
    case truncatedDatagram
}
