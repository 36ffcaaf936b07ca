package import HelioCore

/// The conditions of one direction of a simulated network.
package struct LinkConditions: Sendable, Hashable {
    package var loss: LossModel = .none
    /// The one-way delay, without queueing.
    package var delay: Duration = .zero
    /// The maximum jitter: a uniformly distributed time up to this is added to `delay`, without reordering datagrams.
    package var jitter: Duration = .zero
    /// The fraction of datagrams that are delayed by an additional `reorderDelay`, so that later ones may overtake
    /// them.
    package var reorder = 0.0
    package var reorderDelay: Duration = .milliseconds(3)
    /// The fraction of datagrams that arrive twice.
    package var duplicate = 0.0
    /// The fraction of datagrams that arrive with one bit flipped.
    package var corrupt = 0.0
    /// The bottleneck's rate; `nil` for a link without a bottleneck.
    package var rate: Bitrate?
    /// The capacity of the bottleneck's queue in bytes; a datagram that does not fit is lost.
    package var queueBytes = 256 * 1024
    /// The policy by which the bottleneck drops queued packets.
    package var discipline = QueueDiscipline.dropTail
    /// The intervals of the bottleneck's bursts; `nil` if it sends continuously.
    package var aggregation: LinkAggregation?

    package init(
        loss: LossModel = .none, delay: Duration = .zero, jitter: Duration = .zero, reorder: Double = 0,
        duplicate: Double = 0, rate: Bitrate? = nil, queueBytes: Int = 256 * 1024,
        discipline: QueueDiscipline = .dropTail, aggregation: LinkAggregation? = nil
    ) {
        self.loss = loss
        self.delay = delay
        self.jitter = jitter
        self.reorder = reorder
        self.duplicate = duplicate
        self.rate = rate
        self.queueBytes = queueBytes
        self.discipline = discipline
        self.aggregation = aggregation
    }

    /// A perfect link: a datagram arrives at the time at which it is sent.
    package static let perfect = LinkConditions()
    /// A local network: a switch between two machines.
    package static let lan = LinkConditions(delay: .microseconds(150), jitter: .microseconds(50), rate: .megabits(1000))
    /// A good wireless network at home.
    package static let wifi = LinkConditions(
        loss: .random(0.001), delay: .milliseconds(2), jitter: .milliseconds(3), reorder: 0.001, rate: .megabits(150))
    package static let lossy1 = lossy(0.01)
    package static let lossy5 = lossy(0.05)
    package static let lossy20 = lossy(0.2)
    /// Burst loss: long periods without loss, then about 20 datagrams of which most are lost; 2 % in total.
    package static let burst = LinkConditions(
        loss: .bursts(entering: 0.0015, leaving: 0.05, lossInBurst: 0.7), delay: .milliseconds(5),
        jitter: .milliseconds(1))
    /// A mobile network with motion: burst loss, jitter and 12 Mbit/s.
    package static let mobile = LinkConditions(
        loss: .bursts(entering: 0.002, leaving: 0.2, lossInBurst: 0.5), delay: .milliseconds(35),
        jitter: .milliseconds(15), reorder: 0.002, rate: .megabits(12), queueBytes: 128 * 1024)
    /// Duplication and reordering without loss: all datagrams arrive, some twice, some late.
    package static let shuffled = LinkConditions(delay: .milliseconds(5), reorder: 0.1, duplicate: 0.1)
    /// A low-bandwidth link: slower than a desktop's stream, so that the queue fills.
    package static let narrow = LinkConditions(delay: .milliseconds(10), rate: .megabits(2), queueBytes: 64 * 1024)

    /// Returns a short path that loses the fraction `share` of all datagrams at random.
    package static func lossy(_ share: Double) -> LinkConditions {
        LinkConditions(loss: .random(share), delay: .milliseconds(5), jitter: .milliseconds(1))
    }

    /// All presets with their names, for tests that iterate over them.
    package static let presets: [(name: String, conditions: LinkConditions)] = [
        ("perfect", .perfect), ("lan", .lan), ("wifi", .wifi), ("lossy1", .lossy1), ("lossy5", .lossy5),
        ("lossy20", .lossy20), ("burst", .burst), ("mobile", .mobile), ("shuffled", .shuffled), ("narrow", .narrow),
    ]
}
