package import HelioCore
internal import HelioRTP

/// Chooses the encoding and the redundancy of the sound for one listener, by the path's rate and loss.
///
/// A lower rate is chosen at once, unless the path was measured to carry far more. A higher rate is chosen only after
/// the path has carried it for seconds; the wait before PCM doubles each time that PCM had to be abandoned. PCM is sent
/// only if the path carries far more than PCM needs, and loses nothing. With loss, each packet repeats one or two
/// earlier packets, so that a lost packet is recovered one packet later, sooner than by any retransmission. If packets
/// are lost in bursts, the repeated packets are farther back, as the directly preceding packets tend to be lost
/// together; recovery then takes correspondingly longer.
package struct SoundPlanner: Sendable {
    /// The measured state of the path to the listener.
    package struct Path: Sendable {
        /// The estimated rate of the path.
        package var estimate: Bitrate
        /// The rate that the path was measured to carry; `nil` if it was never measured.
        package var proven: Bitrate?
        /// The ceiling of `estimate`.
        package var most: Bitrate
        /// The share of packets that the path loses whatever the sending rate, 0...1.
        package var loss: Double
        /// The mean length of loss bursts, in packets: at least 1.
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
        /// The number of earlier packets that each packet repeats: 0, 1 or 2.
        package var repeats = 0
        /// The distance in packets to the oldest packet repeated.
        package var reach = 0
        /// The loss that the encoder is configured for, 0...1, rounded up to a few steps, so that it is not
        /// reconfigured often.
        package var lossShare = 0.0
    }

    /// The path's rate above which PCM is sent, and the rate below which Opus replaces it.
    private static let rich = Bitrate.megabits(10)
    private static let notRich = Bitrate.megabits(7)
    /// The minimum ceiling of the estimate at which an estimate that reaches the ceiling is enough for PCM.
    private static let leastCeiling = Bitrate.megabits(6)
    /// The path's rate below which packets become long (`thinOpus`), and the rate above which they become short again:
    /// without loss, and with loss.
    private static let thin = (from: Bitrate.kilobits(700), to: Bitrate.kilobits(1000))
    private static let thinWithLoss = (from: Bitrate.kilobits(1200), to: Bitrate.kilobits(1500))
    /// The maximum share of the path's rate that sound with its redundancy may take.
    private static let mostShare = 0.4
    /// The approximate size of a packet's headers in bytes.
    private static let overhead = 44
    /// The minimum loss at which each packet repeats one earlier packet, and the minimum loss at which it repeats two.
    private static let leastLoss = 0.002
    private static let muchLoss = 0.015
    /// The minimum mean burst length, in packets, at which losses no longer count as independent; and the distance of
    /// repeated packets as a multiple of the burst length.
    private static let longRun = 2.5
    private static let runReach = 2.0
    /// The factor by which the remembered loss decays every half second: even a high loss is forgotten within 30 s.
    private static let memory = 0.9
    private static let interval = Duration.milliseconds(500)
    private static let patience = Duration.seconds(3)
    private static let firstPatience = Duration.seconds(2)
    /// The time for which the estimate must stay low before packets become long, if the path has carried far more: a
    /// few chance losses look the same, and a change of the packet length costs a gap.
    private static let disbelief = Duration.seconds(2)
    private static let longestPatience = Duration.seconds(160)
    private static let lossSteps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3]

    package private(set) var plan: Plan
    private let takes: Set<SoundCodec>
    /// The remembered share of lost packets, 0...1.
    private var loss = 0.0
    private var worst = 0.0
    private var nextStep: Instant?
    /// The time from which the path has carried enough for the next better encoding.
    private var betterSince: Instant?
    /// The time from which the path has carried less than the present encoding needs.
    private var narrowSince: Instant?
    /// The time for which the path has to carry PCM before PCM is sent.
    private var pcmPatience = SoundPlanner.firstPatience

    /// - Parameter takes: the codecs that the listener accepts; all but PCM and Opus are ignored.
    package init(takes: Set<SoundCodec>) {
        self.takes = takes
        plan = Plan(encode: takes.contains(.opus) ? .opus : .pcm)
    }

    /// Records the share of audio packets lost, 0...1, by the listener's last report.
    package mutating func noteLoss(_ share: Double) { worst = max(worst, min(1, max(0, share))) }

    /// Updates the plan by the present state of the path and by the loss recorded since the last update.
    ///
    /// - Returns: true if it has changed.
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

    /// Returns whether the path carries less than `rate`. If the path was measured to carry at least twice that rate,
    /// the estimate must stay low for `disbelief` first.
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

    /// Returns whether the path was measured to carry far more than PCM needs.
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
        // Each skipped packet costs a block header.
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
