import HelioCore

/// A message to be sent, whole or partly sent.
struct OutgoingMessage: Sendable {
    var stream: UInt16
    var protocolID: UInt32
    var payload: [UInt8]
    var isUnordered: Bool
    /// The instant after which it is neither sent nor retransmitted.
    var expires: Instant?
    /// The most times that each piece may be retransmitted.
    var retransmissions: UInt32?
    /// The length of the beginning that has been cut into pieces with TSNs.
    var taken = 0
    /// The sequence number in its stream, once its first piece has a TSN; 0 if it is unordered.
    var sequence: UInt16 = 0
}
