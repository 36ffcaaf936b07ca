package import HelioCore
package import HelioProtection
package import HelioRemoteWire

/// An input about one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// The browser's channel `control` is open: the browser is sent the complete state.
    case open(name: String, allowsControl: Bool)
    /// A message received on one of the browser's data channels.
    case message([UInt8], RemoteChannel)
    /// The viewer may drive from now on, or may no longer; either way everything that it holds is released.
    case permit(Bool)
    /// A ticket with which the viewer may return, to be sent to it.
    case ticket(SecretBytes)
    case paired(DeviceID, secret: SecretBytes)
    /// A message of the viewer's session, to be sent to its browser: an answer to a sound offer, for example.
    case tell(HostMessage)
    /// The viewer's session has ended: everything that it holds is released. The viewer is sent the reason, if there is
    /// one.
    case close(reason: String?)
}
