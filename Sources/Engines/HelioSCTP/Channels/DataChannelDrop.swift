/// A reason for dropping a message on a data channel's stream.
package enum DataChannelDrop: String, CaseIterable, Hashable, Sendable {
    /// Data on a stream that is no channel, or one that is being closed.
    case noChannel = "no-channel"
    /// An unknown payload protocol identifier.
    case unknownProtocol = "unknown-protocol"
    /// A malformed or unexpected message of the establishment protocol.
    case badEstablishment = "bad-establishment"
    /// An OPEN for a number that is in use, or that only this end assigns.
    case takenNumber = "taken-number"
    /// An OPEN beyond the limit of channels or streams, or with too long a label or subprotocol.
    case refused
}
