/// What happens on a viewer's transfer channel at the host.
package enum TransferDemand: Sendable {
    /// There is a channel: for the clipboard, unless the viewer shares the host's own, and for files where the viewer has
    /// a token.
    case opened(sharesClipboard: Bool, files: FileToken?)
    /// A message of the viewer's.
    case received([UInt8])
    /// The channel takes so many bytes now.
    case room(Int)
    case closed
}
