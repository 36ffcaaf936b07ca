/// What happens on a session's transfer channel that is about files. Whoever has the files sends no more than it was
/// granted: all that is on its way has a bound by that.
package enum FileTraffic: Sendable {
    /// There is a channel, on which nothing has been sent yet.
    case opened
    /// A message of the other end's, as it came.
    case received([UInt8])
    /// So many more bytes of messages may be sent.
    case granted(Int)
    case closed
}
