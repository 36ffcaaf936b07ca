package import HelioCore
package import HelioProtection
package import HelioRemoteWire

/// An input about one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// Its channel `control` is open: it is sent the complete state.
    case open(name: String, allowsControl: Bool)
    /// One message of its data channels.
    case message([UInt8], RemoteChannel)
    /// The viewer may drive from now on, or may no longer; either way everything that it holds is released.
    case permit(Bool)
    /// A ticket with which it may return.
    case ticket(SecretBytes)
    case paired(DeviceID, secret: SecretBytes)
    /// A message that concerns its session alone: sound.
    case tell(HostMessage)
    /// Its session has ended: everything that it holds is released. The viewer is sent the reason, if there is one.
    case close(reason: String?)
}
