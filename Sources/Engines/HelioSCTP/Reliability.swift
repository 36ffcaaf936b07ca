/// The reliability of a message: the limit of delivery attempts (RFC 3758, RFC 7496).
package enum Reliability: Sendable, Hashable {
    case reliable
    /// The message is abandoned after this number of retransmissions; with 0 it is sent once.
    case retransmissions(UInt32)
    /// The message is abandoned this time after it was queued, even if it was not sent at all.
    case lifetime(Duration)
}
