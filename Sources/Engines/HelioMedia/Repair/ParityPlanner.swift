package import HelioCore

/// Plans the parity of a path, by what it loses and by how long a retransmission takes.
///
/// None where retransmissions repair nearly all frames in time, and none where nothing was lost lately. Otherwise a
/// block gets as little as leaves only few frames lacking something. Losses are modelled as a chain of two states, of
/// which one loses all: so a path that loses packets in a row gets more than one that loses as many one by one.
///
/// What a block gets is another thing by the code. One that restores any loss of as many packets as it has parity gets
/// so much that hardly anything is lacking. XOR needs several times as much for that, which nobody could pay: of it a
/// block gets what is worth its price.
package struct ParityPlanner: Sendable {
    /// What a code restores.
    package enum Reach: Sendable {
        /// Any packets, as many as there is parity: Reed-Solomon.
        case any
        /// One packet for each parity packet, of those that it protects, which are apart: `FlexFECCode`.
        case oneOfEach
    }

    package struct Configuration: Sendable {
        package var reach = Reach.any
        /// Where each parity packet restores one: how much lower the share of blocks that lack something has to be for
        /// parity that is as long as the block.
        package var price = 0.2
        /// The packets of the shortest block whose parity has that price; of a shorter one it costs no more.
        package var shortBlock = 8
        /// The share of blocks that may be late for want of a packet.
        package var residual = 0.0015
        /// The most that may lack something in spite of their parity, however soon retransmissions come.
        package var mostLacking = 0.25
        /// The time from sending a packet until its picture is late.
        package var patience: Duration = .milliseconds(180)
        /// The time in which a receiver notes that a packet is missing.
        package var notice: Duration = .milliseconds(20)
        /// The least time after which a receiver asks again for what was sent again and lost.
        package var leastRepeat = Duration.zero
        /// The round trip from which on a new path is taken to lose something, until it is known not to.
        package var carefulRoundTrip: Duration = .milliseconds(80)
        /// The share that it is taken to lose, and the packets that weigh as much as this guess.
        package var guess = (share: 0.05, packets: 50.0)
        /// The packets after which the guess counts no longer.
        package var knownPackets = 500
        /// The loss up to which parity helps: of what loses more, too little is left.
        package var mostShare = 0.5

        package init() {}
    }

    private static let mostSources = ParityEncoder.mostInBlock
    /// The most parity of a block of k: k and this.
    private static let most = 2
    /// The time between two plans.
    private static let interval = Duration.milliseconds(200)

    package private(set) var plan = ParityPlan.none
    private let configuration: Configuration
    private var next: Instant?
    private var known: (share: Double, runLength: Double, repairs: Int)?

    package init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Brings the plan up to date.
    ///
    /// - Parameters:
    ///   - roundTrip: the present one; `nil` where it is not known yet.
    ///   - least: the least one, without any queue.
    package mutating func update(_ loss: PathLoss, roundTrip: Duration?, least: Duration?, now: Instant) {
        if let next, now < next { return }
        next = now + Self.interval
        let roundTrip = roundTrip ?? configuration.carefulRoundTrip
        let (packets, lost) = loss.counts
        // Where the round trip is short or a queue makes it long, what was lost in the beginning, or is lost now, is
        // too much of what was sent more often than not.
        let isLong = min(roundTrip, least ?? roundTrip) >= configuration.carefulRoundTrip
        var share = isLong || (loss.isSteady && !loss.isQueued) ? loss.share : 0
        if isLong, packets < configuration.knownPackets, !loss.isQueued {
            let guess = configuration.guess
            share = max(share, (Double(lost) + guess.share * guess.packets) / (Double(packets) + guess.packets))
        }
        update(share: share, runLength: max(loss.runLength, 1 / (1 - min(0.9, share))), roundTrip: roundTrip)
    }

    /// Brings the plan up to date for a path that loses this share of packets.
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

    /// How often a packet can be sent again before its picture is late.
    private func repairs(_ roundTrip: Duration) -> Int {
        let time = configuration.patience - configuration.notice - roundTrip / 2
        guard time > roundTrip else { return 0 }
        // Receivers give an answer a little longer than a round trip before they ask again.
        let again = max(configuration.leastRepeat, roundTrip * 5 / 4 + .milliseconds(10))
        return min(8, 1 + Int((time - roundTrip).inSeconds / again.inSeconds))
    }

    private func makePlan(share: Double, runLength: Double, repairs: Int) -> ParityPlan {
        guard share > 0, share <= configuration.mostShare else { return .none }
        // The share of packets that no retransmission brings in time: requests are lost as well.
        var lasting = 1.0
        for _ in 0..<repairs { lasting *= 1 - (1 - share) * (1 - share) }
        // A block that lacks something lacks a packet or two, most often.
        let residual =
            repairs > 0 ? min(configuration.mostLacking, configuration.residual / lasting / 2) : configuration.residual
        if configuration.reach == .oneOfEach {
            return worthwhile(share: share, runLength: runLength, late: repairs > 0 ? min(1, lasting * 2) : 1)
        }
        let longest = 2 * Self.mostSources + Self.most
        let tails = Self.tails(share: share, runLength: runLength, upTo: longest)
        var parities = [UInt8](repeating: 0, count: Self.mostSources + 1)
        for sources in 1...Self.mostSources {
            // Without any parity, each packet that is lost is lacking.
            if repairs > 0, Double(sources) * share * lasting <= configuration.residual { continue }
            let most = sources + Self.most
            let enough = (0...most).first { tails[sources + $0][$0] <= residual }
            parities[sources] = UInt8(enough ?? most)
        }
        return ParityPlan(parities)
    }

    /// Plans parity that restores one packet each, as long as it saves more than it costs.
    ///
    /// - Parameter late: the share of blocks that lack something whose retransmissions come too late.
    private func worthwhile(share: Double, runLength: Double, late: Double) -> ParityPlan {
        var parities = [UInt8](repeating: 0, count: Self.mostSources + 1)
        let tails = (0...Self.mostSources).map { Self.tails(share: share, runLength: runLength, everyNth: $0) }
        for sources in 1...Self.mostSources {
            let price = configuration.price / Double(max(sources, configuration.shortBlock))
            var best = (cost: Double.infinity, parities: 0)
            // More than half would be half the path, for frames that are lacking all the same.
            for number in 0...(sources + 1) / 2 {
                let lacking = Self.lacking(sources: sources, parities: number, tails) * late
                // Less than what may be lacking counts for nothing.
                let cost = max(lacking, configuration.residual) + price * Double(number)
                if cost < best.cost { best = (cost, number) }
            }
            parities[sources] = UInt8(best.parities)
        }
        return ParityPlan(parities)
    }

    /// The probability that a block lacks something where parity j of m is the XOR of every m-th packet from the j-th
    /// on.
    ///
    /// Each group of packets is looked at for itself, as if the others' losses told nothing of its own. Where packets
    /// are lost in a row the truth is a little better.
    private static func lacking(sources: Int, parities: Int, _ tails: [[[Double]]]) -> Double {
        guard parities > 0 else { return tails[1][sources][0] }
        var whole = 1.0
        for group in 0..<parities {
            let packets = (sources - group + parities - 1) / parities
            whole *= 1 - tails[parities][packets + 1][1]
        }
        return 1 - whole
    }

    /// The probabilities that of n packets more than m are lost, where each is the `step`-th after the one before: what
    /// `tails` says for a path whose state changes as often as the real one's in so many packets.
    private static func tails(share: Double, runLength: Double, everyNth step: Int) -> [[Double]] {
        // What a state tells of the next one, 0 for nothing and 1 for all.
        let memory = max(0, 1 - 1 / max(1, runLength) / (1 - share))
        var lasting = 1.0
        for _ in 0..<max(1, step) { lasting *= memory }
        let leaving = (1 - share) * (1 - lasting)
        return tails(share: share, runLength: 1 / max(leaving, 0.001), upTo: mostSources + 1, most: 1)
    }

    /// The probabilities that of n packets more than m are lost, by n and m.
    private static func tails(
        share: Double, runLength: Double, upTo longest: Int, most: Int = ParityPlanner.mostSources + ParityPlanner.most
    ) -> [[Double]] {
        // The probabilities to leave the state that loses, and to enter it.
        let leaving = min(1, 1 / max(1, runLength))
        let entering = min(1, leaving * share / (1 - share))
        // By the number of losses so far, after a packet that came and after one that was lost.
        var came = [Double](repeating: 0, count: most + 1)
        var lost = came
        came[0] = 1 - share
        // Before the first packet, the path is in either state as often as ever.
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
