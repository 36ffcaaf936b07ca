/// An event of a viewer's transfer channel at the host.
package enum TransferDemand: Sendable {
    /// The channel is open. `sharesClipboard` is false if viewer and host use the same clipboard; `files` is the
    /// viewer's token, or `nil` without file transfer.
    case opened(sharesClipboard: Bool, files: FileToken?)
    /// A message received from the viewer on its transfer channel.
    case received([UInt8])
    /// The channel accepts this many bytes now.
    case room(Int)
    case closed
}
