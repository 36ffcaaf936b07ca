package import HelioRTP

/// A command of an RTSP client's engine about the connection to the server and the UDP sockets.
package enum RTSPLinkCommand: Sendable {
    /// Close the present connection, if any, and open another; then say `.connected`, or `.disconnected` where there is
    /// none.
    case connect
    case send([UInt8])
    /// Close the connection and the sockets; nothing more of them is to be reported.
    case close
    /// Open two UDP sockets for a track, on an even port and the next one, then say `.portsOpen`.
    case openPorts(PlainTrack)
    /// Send a track to these ports of the server, and receive it from them alone.
    case aim(PlainTrack, rtp: UInt16, rtcp: UInt16)
    case datagram([UInt8], RTPChannel, PlainTrack)
}
