/// A reason for dropping a message on a data channel's stream.
package enum DataChannelDrop: String, CaseIterable, Hashable, Sendable {
    /// Data on a stream without a channel, or with a channel that is being closed.
    case noChannel = "no-channel"
    /// An unknown payload protocol identifier.
    case unknownProtocol = "unknown-protocol"
    /// A malformed or unexpected message of the establishment protocol.
    case badEstablishment = "bad-establishment"
    /// An OPEN for a stream number that is in use, or that only this end may assign.
    case takenNumber = "taken-number"
    /// An OPEN beyond the limit of channels or streams, or whose label or subprotocol is too long.
    case refused
}
