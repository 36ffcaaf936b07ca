/// A reason for dropping what came on a data channel's stream.
package enum DataChannelDrop: String, CaseIterable, Hashable, Sendable {
    /// Data on a stream that is no channel, or one that is being closed.
    case noChannel = "no-channel"
    /// A payload protocol that data channels do not have.
    case unknownProtocol = "unknown-protocol"
    /// A message of the establishment protocol that makes no sense.
    case badEstablishment = "bad-establishment"
    /// An OPEN for a number that is in use, or one that only we give out.
    case takenNumber = "taken-number"
    /// An OPEN past the limit of channels or of its texts.
    case refused
}
