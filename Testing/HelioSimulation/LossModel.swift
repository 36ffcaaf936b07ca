/// The loss model of a simulated link.
package enum LossModel: Sendable, Hashable {
    case none
    /// Each datagram is lost with this probability, whatever happened to the others.
    case random(Double)
    /// The two-state Gilbert-Elliott model: no loss in the good state, `lossInBurst` in the bad one. The state may
    /// change once for each datagram, so a burst is `1 / leaving` datagrams long on average.
    case bursts(entering: Double, leaving: Double, lossInBurst: Double)
}
