package import HelioCore

/// Plans the parity for a path, by its loss and the time that a retransmission takes.
///
/// No parity is planned if retransmissions repair nearly all frames in time, or if nothing was lost lately. Otherwise a
/// block gets the least parity that leaves only few frames incomplete. Losses are modelled as a two-state Markov chain,
/// in one of whose states all packets are lost: so a path that loses packets in bursts gets more parity than a path
/// with as many single losses.
///
/// The amount depends on the code. With Reed-Solomon, which repairs any n losses with n parity packets, a block gets
/// enough parity that hardly any block stays incomplete. With XOR that would take several times as many packets, more
/// than a path can afford: parity is added only while each packet lowers the share of incomplete blocks by more than
/// its cost.
package struct ParityPlanner: Sendable {
    /// The kinds of losses that a code restores.
    package enum Reach: Sendable {
        /// The loss of any packets, as many as there are parity packets: Reed-Solomon.
        case any
        /// The loss of one packet for each parity packet, among the interleaved packets that it protects:
        /// `FlexFECCode`.
        case oneOfEach
    }

    package struct Configuration: Sendable {
        package var reach = Reach.any
        /// The cost of parity with `oneOfEach`, expressed as a share of incomplete blocks: the cost of as many parity
        /// packets as the block has packets. A parity packet is added only if it lowers the share by more than its
        /// cost.
        package var price = 0.2
        /// The number of packets in a short block. In a block with fewer packets, each parity packet costs as much as
        /// in a short block.
        package var shortBlock = 8
        /// The acceptable share of blocks that are late because a packet is missing.
        package var residual = 0.0015
        /// The maximum share of blocks that may be incomplete in spite of parity, however fast retransmissions arrive.
        package var mostLacking = 0.25
        /// The time from sending a packet until its picture is late.
        package var patience: Duration = .milliseconds(180)
        /// The time until a receiver notices that a packet is missing.
        package var notice: Duration = .milliseconds(20)
        /// The minimum time before a receiver repeats a request.
        package var leastRepeat = Duration.zero
        /// The minimum round-trip time at which a new path is assumed to be lossy, until its loss is known.
        package var carefulRoundTrip: Duration = .milliseconds(80)
        /// The loss assumed for a new path with a long round trip, and the weight of this guess as a number of packets.
        package var guess = (share: 0.05, packets: 50.0)
        /// The number of packets after which the guess no longer counts.
        package var knownPackets = 500
        /// The highest loss at which parity is used: beyond it, parity would leave too little of the path's rate.
        package var mostShare = 0.5

        package init() {}
    }

    private static let mostSources = ParityEncoder.mostInBlock
    /// The maximum number of parity packets of a block in excess of the block's number of packets.
    private static let most = 2
    /// The time between two plans.
    private static let interval = Duration.milliseconds(200)

    package private(set) var plan = ParityPlan.none
    private let configuration: Configuration
    private var next: Instant?
    private var known: (share: Double, runLength: Double, repairs: Int)?

    package init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Updates the plan by the measured loss of the path, at most every `interval`.
    ///
    /// - Parameters:
    ///   - roundTrip: the present round-trip time; `nil` if it is not known yet.
    ///   - least: the minimum round-trip time, without any queue; `nil` if it is not known.
    package mutating func update(_ loss: PathLoss, roundTrip: Duration?, least: Duration?, now: Instant) {
        if let next, now < next { return }
        next = now + Self.interval
        let roundTrip = roundTrip ?? configuration.carefulRoundTrip
        let (packets, lost) = loss.counts
        // Losses at the start or while a queue stands don't count if the round trip is short, or only a queue makes it
        // long, as they are then mostly due to excess data.
        let isLong = min(roundTrip, least ?? roundTrip) >= configuration.carefulRoundTrip
        var share = isLong || (loss.isSteady && !loss.isQueued) ? loss.share : 0
        if isLong, packets < configuration.knownPackets, !loss.isQueued {
            let guess = configuration.guess
            share = max(share, (Double(lost) + guess.share * guess.packets) / (Double(packets) + guess.packets))
        }
        update(share: share, runLength: max(loss.runLength, 1 / (1 - min(0.9, share))), roundTrip: roundTrip)
    }

    /// Updates the plan for a path with this share of lost packets, burst length and round-trip time.
    package mutating func update(share: Double, runLength: Double, roundTrip: Duration) {
        let repairs = repairs(roundTrip)
        if let known, known.repairs == repairs, abs(share - known.share) <= known.share / 20,
            abs(runLength - known.runLength) <= known.runLength / 20
        {
            return
        }
        known = (share, runLength, repairs)
        plan = makePlan(share: share, runLength: runLength, repairs: repairs)
    }

    /// The number of times that a packet can be retransmitted before its picture is late.
    private func repairs(_ roundTrip: Duration) -> Int {
        let time = configuration.patience - configuration.notice - roundTrip / 2
        guard time > roundTrip else { return 0 }
        // Receivers wait a little longer than a round trip before they repeat a request.
        let again = max(configuration.leastRepeat, roundTrip * 5 / 4 + .milliseconds(10))
        return min(8, 1 + Int((time - roundTrip).inSeconds / again.inSeconds))
    }

    private func makePlan(share: Double, runLength: Double, repairs: Int) -> ParityPlan {
        guard share > 0, share <= configuration.mostShare else { return .none }
        // The share of lost packets that no retransmission replaces in time, as requests are lost, too.
        var lasting = 1.0
        for _ in 0..<repairs { lasting *= 1 - (1 - share) * (1 - share) }
        // An incomplete block usually lacks one or two packets.
        let residual =
            repairs > 0 ? min(configuration.mostLacking, configuration.residual / lasting / 2) : configuration.residual
        if configuration.reach == .oneOfEach {
            return worthwhile(share: share, runLength: runLength, late: repairs > 0 ? min(1, lasting * 2) : 1)
        }
        let longest = 2 * Self.mostSources + Self.most
        let tails = Self.tails(share: share, runLength: runLength, upTo: longest)
        var parities = [UInt8](repeating: 0, count: Self.mostSources + 1)
        for sources in 1...Self.mostSources {
            // Each lost packet makes a block without parity incomplete.
            if repairs > 0, Double(sources) * share * lasting <= configuration.residual { continue }
            let most = sources + Self.most
            let enough = (0...most).first { tails[sources + $0][$0] <= residual }
            parities[sources] = UInt8(enough ?? most)
        }
        return ParityPlan(parities)
    }

    /// Plans parity for a code whose parity packets restore one packet each: parity is added as long as it saves more
    /// than it costs.
    ///
    /// - Parameter late: the share of incomplete blocks whose retransmissions arrive too late.
    private func worthwhile(share: Double, runLength: Double, late: Double) -> ParityPlan {
        var parities = [UInt8](repeating: 0, count: Self.mostSources + 1)
        let tails = (0...Self.mostSources).map { Self.tails(share: share, runLength: runLength, everyNth: $0) }
        for sources in 1...Self.mostSources {
            let price = configuration.price / Double(max(sources, configuration.shortBlock))
            var best = (cost: Double.infinity, parities: 0)
            // Parity of more than half the block's packets would take too much of the path, for frames that often stay
            // incomplete.
            for number in 0...(sources + 1) / 2 {
                let lacking = Self.lacking(sources: sources, parities: number, tails) * late
                // A share below the acceptable share brings no further gain.
                let cost = max(lacking, configuration.residual) + price * Double(number)
                if cost < best.cost { best = (cost, number) }
            }
            parities[sources] = UInt8(best.parities)
        }
        return ParityPlan(parities)
    }

    /// The probability that a block is incomplete if parity j of m is the XOR of every m-th packet from the j-th on.
    ///
    /// Each group of packets is treated as independent of the others. If packets are lost in bursts the real
    /// probability is a little lower.
    private static func lacking(sources: Int, parities: Int, _ tails: [[[Double]]]) -> Double {
        guard parities > 0 else { return tails[1][sources][0] }
        var whole = 1.0
        for group in 0..<parities {
            let packets = (sources - group + parities - 1) / parities
            whole *= 1 - tails[parities][packets + 1][1]
        }
        return 1 - whole
    }

    /// The probabilities that more than m of n packets are lost, indexed by n and m, if each is sent `step` packets
    /// after the previous one. They are computed as for n consecutive packets on a path whose state changes within one
    /// packet as often as the real path's state changes within `step` packets.
    private static func tails(share: Double, runLength: Double, everyNth step: Int) -> [[Double]] {
        // The correlation between the states of consecutive packets: 0 for none and 1 for full.
        let memory = max(0, 1 - 1 / max(1, runLength) / (1 - share))
        var lasting = 1.0
        for _ in 0..<max(1, step) { lasting *= memory }
        let leaving = (1 - share) * (1 - lasting)
        return tails(share: share, runLength: 1 / max(leaving, 0.001), upTo: mostSources + 1, most: 1)
    }

    /// The probabilities that more than m of n packets are lost, indexed by n and m.
    private static func tails(
        share: Double, runLength: Double, upTo longest: Int, most: Int = ParityPlanner.mostSources + ParityPlanner.most
    ) -> [[Double]] {
        // The probabilities of leaving the losing state, and of entering it.
        let leaving = min(1, 1 / max(1, runLength))
        let entering = min(1, leaving * share / (1 - share))
        // The probabilities by the number of losses so far, after a received packet and after a lost one.
        var came = [Double](repeating: 0, count: most + 1)
        var lost = came
        came[0] = 1 - share
        // The path is in its stationary distribution before the first packet.
        lost[0] = share
        var tails = [[Double](repeating: 0, count: most + 1)]
        for _ in 0..<longest {
            var nextCame = [Double](repeating: 0, count: most + 1)
            var nextLost = nextCame
            for count in 0...most {
                nextCame[count] = came[count] * (1 - entering) + lost[count] * leaving
                if count > 0 { nextLost[count] = came[count - 1] * entering + lost[count - 1] * (1 - leaving) }
            }
            came = nextCame
            lost = nextLost
            var tail = [Double](repeating: 0, count: most + 1)
            var sum = 0.0
            for count in 0...most {
                sum += came[count] + lost[count]
                tail[count] = max(0, 1 - sum)
            }
            tails.append(tail)
        }
        return tails
    }
}
