/// The reliability of a message: how long delivery is attempted (RFC 3758, RFC 7496).
package enum Reliability: Sendable, Hashable {
    case reliable
    /// Abandoned once it was retransmitted this many times; 0 sends it once.
    case retransmissions(UInt32)
    /// Abandoned when this long has passed since it was queued; not sent at all if sending has not begun by then.
    case lifetime(Duration)
}
