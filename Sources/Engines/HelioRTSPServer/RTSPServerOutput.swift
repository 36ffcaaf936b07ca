package import HelioCore
package import HelioRTP

/// An output of an RTSP server's engine.
package enum RTSPServerOutput<Event> {
    case send(ConnectionID, [UInt8])
    /// Closes a connection after all bytes sent on it.
    case close(ConnectionID)
    /// Sends from the server's UDP port of this channel to a port of the connection's remote address.
    case datagram([UInt8], RTPChannel, to: ConnectionID, port: UInt16)
    /// Accepts a track's datagrams only from these ports of the connection's remote address.
    case listen(to: ConnectionID, PlainTrack, rtp: UInt16, rtcp: UInt16)
    /// Stops accepting a track's media over UDP.
    case stopListening(PlainTrack)
    case event(Event)
}

extension RTSPServerOutput: Sendable where Event: Sendable {}
