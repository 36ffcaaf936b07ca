package import HelioRTP
import HelioRTSP

/// What an RTSP client's engine wants done with the connection to the server, and with its UDP sockets.
package enum RTSPLinkCommand: Sendable {
    /// Close the connection that there is, if any, and open another; then say `.connected`, or `.disconnected` where
    /// there is none.
    case connect
    case send([UInt8])
    /// Close the connection and the sockets; nothing more of them is to be told.
    case close
    /// Open two UDP sockets, on an even port and the next one, then say `.portsOpen`.
    case openPorts
    /// Send to and hear from these ports of the server alone.
    case aim(rtp: UInt16, rtcp: UInt16)
    case datagram([UInt8], RTPChannel)
}
