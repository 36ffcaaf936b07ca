import HelioCore
import HelioSTUN

/// A check on its way: sent again at growing distances until it is answered (RFC 8489 section 6.2.1).
struct CheckTransaction {
    let id: STUNTransactionID
    let pair: Int
    let bytes: [UInt8]
    let from: TransportAddress
    let to: TransportAddress
    let isNominating: Bool
    /// The role that it spoke of.
    let asControlling: Bool
    let sentAt: Instant
    var backoff: Backoff
    /// An answer may be one to either sending, so it tells no round trip.
    var isRepeated = false
    /// Nobody waits for it any more; an answer still counts until the backoff is over.
    var isCancelled = false
}
