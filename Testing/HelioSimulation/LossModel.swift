/// The loss model of a simulated link.
package enum LossModel: Sendable, Hashable {
    case none
    /// Each datagram is lost with this probability, whatever happened to the others.
    case random(Double)
    /// Two states, as Gilbert and Elliott have it: nothing is lost in the good one, `lossInBurst` in the bad one.
    /// The chances of changing state are asked once a datagram, so a burst is `1 / leaving` datagrams long on average.
    case bursts(entering: Double, leaving: Double, lossInBurst: Double)
}
