import HelioCore

/// A message on its way out.
struct OutgoingMessage: Sendable {
    var stream: UInt16
    var protocolID: UInt32
    var payload: [UInt8]
    var isUnordered: Bool
    /// Not sent, or sent again, after this.
    var expires: Instant?
    /// How often each piece may be sent again.
    var retransmissions: UInt32?
    /// How much of it has been cut off and given a TSN.
    var taken = 0
    /// Of its stream, once its first piece has a TSN; 0 where it is unordered.
    var sequence: UInt16 = 0
}
