package import HelioCore
package import HelioRTP
import HelioRTSP

/// What the engine of an RTSP server wants done.
package enum RTSPServerOutput<Event> {
    case send(ConnectionID, [UInt8])
    /// Close a connection, behind what was sent to it.
    case close(ConnectionID)
    /// Send from the server's UDP port of this channel to a port of the connection's machine.
    case datagram([UInt8], RTPChannel, to: ConnectionID, port: UInt16)
    /// Media comes from these ports of the connection's machine alone.
    case listen(to: ConnectionID, rtp: UInt16, rtcp: UInt16)
    /// Media comes from nobody any more.
    case stopListening
    case event(Event)
}

extension RTSPServerOutput: Sendable where Event: Sendable {}
