package import HelioCore
package import HelioRTP

/// An output of an RTSP server's engine.
package enum RTSPServerOutput<Event> {
    case send(ConnectionID, [UInt8])
    /// Closes a connection once all bytes queued on it have been sent.
    case close(ConnectionID)
    /// Sends a datagram from the server's UDP port of this channel to a port at the connection's remote address.
    case datagram([UInt8], RTPChannel, to: ConnectionID, port: UInt16)
    /// Accepts datagrams of a track, and only from these ports at the connection's remote address.
    case listen(to: ConnectionID, PlainTrack, rtp: UInt16, rtcp: UInt16)
    /// Stops accepting datagrams of a track.
    case stopListening(PlainTrack)
    case event(Event)
}

extension RTSPServerOutput: Sendable where Event: Sendable {}
