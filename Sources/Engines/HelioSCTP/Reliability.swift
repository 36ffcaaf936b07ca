/// The reliability of a message: how long delivery is attempted (RFC 3758, RFC 7496).
package enum Reliability: Sendable, Hashable {
    case reliable
    /// Abandoned once it was retransmitted this many times; 0 sends it once.
    case retransmissions(UInt32)
    /// Abandoned this long after it was queued; never sent if sending has not begun by then.
    case lifetime(Duration)
}
