package import HelioCore
package import HelioRTP

/// An output of an RTSP server's engine.
package enum RTSPServerOutput<Event> {
    case send(ConnectionID, [UInt8])
    /// Close a connection, behind what was sent to it.
    case close(ConnectionID)
    /// Send from the server's UDP port of this channel to a port of the connection's machine.
    case datagram([UInt8], RTPChannel, to: ConnectionID, port: UInt16)
    /// Accept a track's media from these ports of the connection's machine alone.
    case listen(to: ConnectionID, PlainTrack, rtp: UInt16, rtcp: UInt16)
    /// Accept a track's media from no address any more.
    case stopListening(PlainTrack)
    case event(Event)
}

extension RTSPServerOutput: Sendable where Event: Sendable {}
