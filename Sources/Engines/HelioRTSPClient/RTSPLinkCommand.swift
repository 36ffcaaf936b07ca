package import HelioRTP

/// A command of an RTSP client's engine about the connection to the server and the UDP sockets.
package enum RTSPLinkCommand: Sendable {
    /// Closes the present connection, if any, and opens another; answered by `.connected` or `.disconnected`.
    case connect
    case send([UInt8])
    /// Closes the connection and the sockets, of which no more events are reported.
    case close
    /// Opens two UDP sockets for a track, on an even port and the next one; answered by `.portsOpen` or `.portsFailed`.
    case openPorts(PlainTrack)
    /// Sends a track to these ports of the server, and receives it only from them.
    case aim(PlainTrack, rtp: UInt16, rtcp: UInt16)
    case datagram([UInt8], RTPChannel, PlainTrack)
}
