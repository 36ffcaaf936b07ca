/// The forward error correction by which lost video packets are restored without retransmission.
package enum ParityScheme: Sendable, Hashable {
    /// Lost packets are only retransmitted.
    case none
    /// FlexFEC as browsers implement it, `flexfec-03`, where the peer supports it.
    case flexFEC
}
