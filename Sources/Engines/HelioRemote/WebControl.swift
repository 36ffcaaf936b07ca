package import HelioCore
package import HelioProtection
package import HelioRemoteWire

/// What concerns one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// Its channel `control` is open: it is told all that there is to know.
    case open(name: String, allowsControl: Bool)
    /// One message of its data channels.
    case message([UInt8], RemoteChannel)
    /// Whether it may drive, from now on. What it holds is let go when it may no longer.
    case permit(Bool)
    /// What it may come back with.
    case ticket(SecretBytes)
    case paired(DeviceID, secret: SecretBytes)
    /// Its session is over: all that it holds is let go. It is told the reason where there is one to tell.
    case close(reason: String?)
}
