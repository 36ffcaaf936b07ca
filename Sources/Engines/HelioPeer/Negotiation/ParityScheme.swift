/// The forward error correction for video packets.
package enum ParityScheme: Sendable, Hashable {
    /// Lost packets are only retransmitted.
    case none
    /// FlexFEC as implemented by browsers (`flexfec-03`), if the peer supports it.
    case flexFEC
}
