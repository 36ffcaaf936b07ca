/// What happens on a viewer's transfer channel at the host.
package enum TransferDemand: Sendable {
    case opened
    /// A message of the viewer's.
    case received([UInt8])
    /// The channel takes so many bytes now.
    case room(Int)
    case closed
}
