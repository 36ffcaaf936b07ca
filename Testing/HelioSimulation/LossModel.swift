/// The loss model of a simulated link.
package enum LossModel: Sendable, Hashable {
    case none
    /// Each datagram is lost with this probability, independently of the others.
    case random(Double)
    /// The two-state Gilbert-Elliott model: no loss in the good state, loss with the probability `lossInBurst` in the
    /// bad state. The state may change with each datagram, so a burst has `1 / leaving` datagrams on average.
    case bursts(entering: Double, leaving: Double, lossInBurst: Double)
}
