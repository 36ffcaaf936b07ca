package import HelioCore
package import HelioProtection
package import HelioRemoteWire

/// An input about one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// Its channel `control` is open: it is told all that there is to know.
    case open(name: String, allowsControl: Bool)
    /// One message of its data channels.
    case message([UInt8], RemoteChannel)
    /// The viewer may drive from now on, or may no longer: then all that it holds is released.
    case permit(Bool)
    /// A ticket with which it may come back.
    case ticket(SecretBytes)
    case paired(DeviceID, secret: SecretBytes)
    /// A message about what is its session's alone: sound.
    case tell(HostMessage)
    /// Its session is over: all that it holds is released. It is told the reason where there is one to tell.
    case close(reason: String?)
}
