/// What a person has answered to a device that wants to be paired.
public enum PairingReply: Sendable, Hashable {
    /// The digits are the same; it may watch.
    case watch
    /// The digits are the same; it may watch and drive.
    case control
    case deny
}
