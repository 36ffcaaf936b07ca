import HelioCore
import HelioSTUN

/// A connectivity check in flight, retransmitted with growing intervals until it is answered (RFC 8489 section 6.2.1).
struct CheckTransaction {
    let id: STUNTransactionID
    let pair: Int
    let bytes: [UInt8]
    let from: TransportAddress
    let to: TransportAddress
    let isNominating: Bool
    /// True if the check was sent in the controlling role.
    let asControlling: Bool
    let sentAt: Instant
    var backoff: Backoff
    /// True once the check was retransmitted: an answer can't be matched to one transmission, so no round-trip time is
    /// measured.
    var isRepeated = false
    /// True once the check is no longer retransmitted; an answer still counts until the backoff ends.
    var isCancelled = false
}
