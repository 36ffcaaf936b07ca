package import HelioCore
internal import HelioRTP

/// Chooses the encode of sound that one listener is sent, and how much of it is sent twice, by what the path carries and
/// loses.
///
/// Less is chosen at once, but where the path has carried far more a moment ago; more only after the path has carried it
/// for seconds, and the longer the more often it has failed. Samples as they are go only where far more is carried than
/// they need, and nothing is lost. Where packets are lost each one repeats the one or two before it: that comes a packet
/// later, sooner than any retransmission. Where they are lost in a row, those that it repeats are farther back, as those
/// right before it are gone with it; the sound is later by so much.
package struct SoundPlanner: Sendable {
    /// What is known of the path.
    package struct Path: Sendable {
        /// The rate that it is estimated to carry.
        package var estimate: Bitrate
        /// The rate that it has carried; `nil` where it was never measured.
        package var proven: Bitrate?
        /// The ceiling of the estimate: nobody would use more.
        package var most: Bitrate
        /// The share of all packets that it loses whatever is sent, 0...1.
        package var loss: Double
        /// The packets that are lost in a row, on average: at least 1.
        package var runLength: Double

        package init(estimate: Bitrate, proven: Bitrate?, most: Bitrate, loss: Double, runLength: Double = 1) {
            self.estimate = estimate
            self.proven = proven
            self.most = most
            self.loss = loss
            self.runLength = runLength
        }
    }

    package struct Plan: Sendable, Hashable {
        package var encode: SoundEncode
        /// The earlier packets that each packet repeats: 0, 1 or 2.
        package var repeats = 0
        /// How many packets back the farthest of them is.
        package var reach = 0
        /// The loss that the encoder is to withstand, 0...1, rounded up to a few steps, so that no encoder is reset for
        /// nothing.
        package var lossShare = 0.0
    }

    /// The rate from which on samples go as they are, and that below which they don't any more.
    private static let rich = Bitrate.megabits(10)
    private static let notRich = Bitrate.megabits(7)
    /// The ceiling of an estimate from which on it is enough to be there.
    private static let leastCeiling = Bitrate.megabits(6)
    /// The rates between which long packets go, with and without loss.
    private static let thin = (from: Bitrate.kilobits(700), to: Bitrate.kilobits(1000))
    private static let thinWithLoss = (from: Bitrate.kilobits(1200), to: Bitrate.kilobits(1500))
    /// The share of the path's rate that sound may take for what it repeats.
    private static let mostShare = 0.4
    /// The bytes of a packet that are no payload, about.
    private static let overhead = 44
    /// The loss that counts, and that for which a packet repeats two.
    private static let leastLoss = 0.002
    private static let muchLoss = 0.015
    /// From so many lost in a row on it is no chance, and what is repeated is to be from before twice as many.
    private static let longRun = 2.5
    private static let runReach = 2.0
    /// What of a loss is remembered after half a second without any: it is forgotten within 15 s.
    private static let memory = 0.9
    private static let interval = Duration.milliseconds(500)
    private static let patience = Duration.seconds(3)
    private static let firstPatience = Duration.seconds(2)
    /// How long a path that has carried far more has to be narrow until it counts: of few packets some more lost by chance
    /// look like that, and another length of packets costs a gap.
    private static let disbelief = Duration.seconds(2)
    private static let longestPatience = Duration.seconds(160)
    private static let lossSteps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3]

    package private(set) var plan: Plan
    private let takes: Set<SoundCodec>
    /// The share that is lost, as remembered.
    private var loss = 0.0
    private var worst = 0.0
    private var nextStep: Instant?
    /// Since when the path has carried what would be sent next.
    private var betterSince: Instant?
    /// Since when the path has carried less than what is sent wants.
    private var narrowSince: Instant?
    /// How long the path has to carry samples before they are sent.
    private var pcmPatience = SoundPlanner.firstPatience

    /// - Parameter takes: the codecs that the listener takes; of none but PCM and Opus any is of use.
    package init(takes: Set<SoundCodec>) {
        self.takes = takes
        plan = Plan(encode: takes.contains(.opus) ? .opus : .pcm)
    }

    /// Notes the share of sound's own packets that was lost lately, 0...1, as the listener reports.
    package mutating func noteLoss(_ share: Double) { worst = max(worst, min(1, max(0, share))) }

    /// Brings the plan up to date.
    ///
    /// - Returns: true where it has changed.
    @discardableResult
    package mutating func update(_ path: Path, now: Instant) -> Bool {
        let before = plan
        remember(max(worst, path.loss), now)
        worst = 0
        plan.encode = encode(path, now)
        plan.repeats = repeats(path)
        plan.reach = reach(path)
        plan.lossShare = loss < Self.leastLoss ? 0 : Self.lossSteps.first { $0 >= loss } ?? Self.lossSteps.last ?? 0
        return plan != before
    }

    private mutating func remember(_ share: Double, _ now: Instant) {
        if share > loss {
            loss = share
            nextStep = now + Self.interval
        } else if let due = nextStep, now >= due {
            loss = max(share, loss * Self.memory)
            if loss < Self.leastLoss { loss = 0 }
            nextStep = now + Self.interval
        } else if nextStep == nil {
            nextStep = now + Self.interval
        }
    }

    private mutating func encode(_ path: Path, _ now: Instant) -> SoundEncode {
        guard takes.contains(.opus) else { return .pcm }
        let isLossy = loss >= Self.leastLoss
        let thin = isLossy ? Self.thinWithLoss : Self.thin
        switch plan.encode {
        case .pcm where isLossy || path.estimate < min(Self.notRich, path.most.scaled(by: 0.7)):
            betterSince = nil
            pcmPatience = min(Self.longestPatience, max(Self.patience, pcmPatience) * 2)
            return isNarrow(path, below: thin.from, now) ? .thinOpus : .opus
        case .opus where isNarrow(path, below: thin.from, now):
            betterSince = nil
            return .thinOpus
        case .opus where takes.contains(.pcm) && !isLossy && isRich(path):
            return isSteady(for: pcmPatience, now) ? .pcm : .opus
        case .thinOpus where path.estimate >= thin.to: return isSteady(for: Self.patience, now) ? .opus : .thinOpus
        default:
            betterSince = nil
            return plan.encode
        }
    }

    /// Returns whether the path carries less than a rate.
    private mutating func isNarrow(_ path: Path, below rate: Bitrate, _ now: Instant) -> Bool {
        guard path.estimate < rate else {
            narrowSince = nil
            return false
        }
        guard let proven = path.proven, proven >= rate.scaled(by: 2) else { return true }
        let since = narrowSince ?? now
        narrowSince = since
        return now - since >= Self.disbelief
    }

    /// Returns whether the path carries far more than samples need, and has shown so.
    private func isRich(_ path: Path) -> Bool {
        guard let proven = path.proven else { return false }
        if path.estimate >= Self.rich, proven >= Self.rich.scaled(by: 0.8) { return true }
        return path.most >= Self.leastCeiling && path.estimate >= path.most && proven >= path.most.scaled(by: 0.75)
    }

    private mutating func isSteady(for time: Duration, _ now: Instant) -> Bool {
        let since = betterSince ?? now
        betterSince = since
        guard now - since >= time else { return false }
        betterSince = nil
        return true
    }

    private func repeats(_ path: Path) -> Int {
        guard plan.encode.codec == .opus, loss >= Self.leastLoss else { return 0 }
        let wanted = loss >= Self.muchLoss ? 2 : 1
        return (0...wanted).last { $0 == 0 || Self.rate(plan.encode, repeats: $0) <= share(path) } ?? 0
    }

    private func reach(_ path: Path) -> Int {
        guard plan.repeats > 0, path.runLength >= Self.longRun else { return plan.repeats }
        let frames = Int64((plan.encode.packetDuration.inSeconds * 48_000).rounded())
        let most = Int(SoundRepeats.oldest / max(1, frames))
        let wanted = min(most, Int((path.runLength * Self.runReach).rounded(.up)))
        // Each packet that is left out costs a header.
        let headers = Bitrate(
            bitsPerSecond: Int(
                Double(wanted * RedundantPayload.blockOverhead * 8) / plan.encode.packetDuration.inSeconds))
        let rate = Self.rate(plan.encode, repeats: plan.repeats)
        guard rate.bitsPerSecond + headers.bitsPerSecond <= share(path).bitsPerSecond else { return plan.repeats }
        return max(plan.repeats, wanted)
    }

    private func share(_ path: Path) -> Bitrate { path.estimate.scaled(by: Self.mostShare) }

    private static func rate(_ encode: SoundEncode, repeats: Int) -> Bitrate {
        let headers = Double(overhead * 8) / encode.packetDuration.inSeconds
        return Bitrate(bitsPerSecond: encode.bitrate * (1 + repeats) + Int(headers))
    }
}
