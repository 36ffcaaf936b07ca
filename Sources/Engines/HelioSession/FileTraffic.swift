/// An event of file transfer on a session's channel. The handler of files sends no more than it was granted, which
/// bounds all that is on its way.
package enum FileTraffic: Sendable {
    /// The channel is open; nothing has been sent on it yet.
    case opened
    /// A message from the other end, unchanged.
    case received([UInt8])
    /// This many more bytes of messages may be sent.
    case granted(Int)
    case closed
}
