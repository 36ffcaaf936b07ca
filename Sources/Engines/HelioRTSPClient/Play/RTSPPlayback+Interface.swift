package import HelioCore
package import HelioRTSP

/// What goes into a player and comes out of it.
extension RTSPPlayback {
    package enum Input: Sendable {
        case connected
        case received([UInt8])
        case disconnected
        /// Two sockets are open on these ports.
        case portsOpen(rtp: UInt16, rtcp: UInt16)
        case portsFailed
        /// From the server's address and the ports that `.aim` named.
        case datagram([UInt8], RTPChannel)
        /// One that was longer than the driver takes.
        case truncatedDatagram
        /// The decoder can't go on without one: there is nobody to ask, so frames wait for the next.
        case keyframeNeeded
    }

    package enum Output: Sendable {
        case send([UInt8])
        case close
        /// Close the connection and open another, then say `.connected`.
        case reconnect
        /// Open two UDP sockets, on an even port and the next one, then say `.portsOpen`.
        case openPorts
        /// Send to and hear from these ports of the server alone.
        case aim(rtp: UInt16, rtcp: UInt16)
        case datagram([UInt8], RTPChannel)
        case event(Event)
    }

    package enum Event: Sendable {
        /// The first packet is there. The size is 0 by 0 where the server does not tell it.
        case playing(VideoFormat, isInterleaved: Bool)
        case frame(ReceivedFrame)
        case ended(HelioError)
    }
}
