package import HelioRTMP

/// Why nothing follows from whoever published.
package enum RTMPReceiverEnd: Sendable, Hashable {
    /// It has said so.
    case finished
    /// It has ended the connection without saying so.
    case disconnected
    /// Its key or application is not ours; it was told.
    case refused
    /// It is too slow, or says nothing.
    case silent
    case malformed(RTMPChunkFault)
    /// What it sends is not what RTMP has there.
    case violation
}
