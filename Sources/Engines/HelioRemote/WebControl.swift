package import HelioRemoteWire

/// An input about one browser's viewer at `HostControl`.
package enum WebControl: Sendable {
    /// The browser's data channel `control` is open, so the browser is sent who watches and who drives.
    case open(name: String, allowsControl: Bool)
    /// A message about input or about who drives, received on this data channel.
    case message(ViewerMessage, RemoteChannel)
    /// A sign of life: the browser's session has received and handled some other message.
    case heard
    /// The viewer may drive from now on, or may no longer; either way everything that it holds is released.
    case permit(Bool)
    /// The viewer's session has ended: everything that it holds is released.
    case close
}
