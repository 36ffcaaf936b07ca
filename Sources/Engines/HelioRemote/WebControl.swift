package import HelioRemoteWire

/// An input about one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// The browser's data channel `control` is open, so the browser is sent who watches and who drives.
    case open(name: String, allowsControl: Bool)
    /// A message about input or about taking turns at control, received on this data channel.
    case message(ViewerMessage, RemoteChannel)
    /// The browser's session has received and handled another kind of message, which shows that the viewer is alive.
    case heard
    /// The permission to drive from now on. Whether it is granted or withdrawn, everything that the viewer holds is
    /// released.
    case permit(Bool)
    /// The viewer's session has ended: everything that it holds is released.
    case close
}
