package import HelioRTMP

/// The reason for the end of a publisher's connection.
package enum RTMPReceiverEnd: Sendable, Hashable {
    /// The publisher has ended its stream.
    case finished
    /// The publisher has closed the connection without ending its stream.
    case disconnected
    /// The publisher's key or application name was refused, and an error was sent.
    case refused
    /// The publisher was silent for too long.
    case silent
    case malformed(RTMPChunkFault)
    /// The publisher violated the protocol.
    case violation
}
