package import HelioRTP

/// A command to an RTSP client's driver for the connection to the server and the UDP sockets.
package enum RTSPLinkCommand: Sendable {
    /// Closes the present connection, if any, and opens a new one; `.connected`, `.disconnected` or `.refused` follows.
    case connect
    case send([UInt8])
    /// Closes the connection and the sockets. No more of their events may be reported.
    case close
    /// Opens two UDP sockets for a track, on an even port and the following port; `.portsOpen` or `.portsFailed`
    /// follows.
    case openPorts(PlainTrack)
    /// Sets the server's UDP ports of a track: datagrams are sent to them, and accepted only from them.
    case aim(PlainTrack, rtp: UInt16, rtcp: UInt16)
    case datagram([UInt8], RTPChannel, PlainTrack)
}
