/// An event of a viewer's transfer channel at the host.
package enum TransferDemand: Sendable {
    /// The channel is open: for the clipboard, unless the viewer shares the host's own, and for files if the viewer
    /// has a token.
    case opened(sharesClipboard: Bool, files: FileToken?)
    /// A message received from the viewer on its transfer channel.
    case received([UInt8])
    /// The channel accepts this many bytes now.
    case room(Int)
    case closed
}
