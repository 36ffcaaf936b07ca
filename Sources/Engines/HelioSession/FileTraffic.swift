/// An event of file transfer on a session's channel. The file-transfer handler sends at most the bytes granted to it,
/// which bounds the bytes in flight.
package enum FileTraffic: Sendable {
    /// The channel is open; nothing has been sent on it yet.
    case opened
    /// A message from the other end, unchanged.
    case received([UInt8])
    /// This many more bytes of messages may be sent.
    case granted(Int)
    case closed
}
