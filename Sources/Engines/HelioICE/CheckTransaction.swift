import HelioCore
import HelioSTUN

/// A connectivity check on its way: retransmitted at growing distances until it is answered (RFC 8489 section 6.2.1).
struct CheckTransaction {
    let id: STUNTransactionID
    let pair: Int
    let bytes: [UInt8]
    let from: TransportAddress
    let to: TransportAddress
    let isNominating: Bool
    /// True if it was sent in the controlling role.
    let asControlling: Bool
    let sentAt: Instant
    var backoff: Backoff
    /// True once it was retransmitted: an answer may be one to either sending, so it tells no round trip.
    var isRepeated = false
    /// True once nobody waits for it any more; an answer still counts until the backoff is over.
    var isCancelled = false
}
