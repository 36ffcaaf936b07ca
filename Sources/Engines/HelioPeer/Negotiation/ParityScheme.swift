/// How a peer connection lets lost packets of video be restored without being sent again.
package enum ParityScheme: Sendable, Hashable {
    /// Not at all.
    case none
    /// By FlexFEC as browsers have it, `flexfec-03`, where the peer takes or gives it.
    case flexFEC
}
