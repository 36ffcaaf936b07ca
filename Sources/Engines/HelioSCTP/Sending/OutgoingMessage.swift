import HelioCore

/// An outgoing message, unsent or partly sent.
struct OutgoingMessage: Sendable {
    var stream: UInt16
    var protocolID: UInt32
    var payload: [UInt8]
    var isUnordered: Bool
    /// The instant after which the message is neither sent nor retransmitted; `nil` for no limit.
    var expires: Instant?
    /// The maximum number of retransmissions of each fragment; `nil` for no limit.
    var retransmissions: UInt32?
    /// The number of payload bytes that have been assigned TSNs.
    var taken = 0
    /// The stream sequence number, assigned with the first fragment's TSN; 0 for an unordered message.
    var sequence: UInt16 = 0
}
