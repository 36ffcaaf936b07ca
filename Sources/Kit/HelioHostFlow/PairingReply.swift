/// The user's answer to a device that asks to be paired.
public enum PairingReply: Sendable, Hashable {
    /// The digits match; the device may watch.
    case watch
    /// The digits match; the device may watch and drive.
    case control
    case deny
}
