package import HelioCore
package import HelioMedia

/// Decides in which size and how often a screen is coded where the path carries too little for the agreed format
/// (row 6): a ladder from that down to 360p10; for text down to 720p10, as long as anything to speak of is carried.
///
/// The encoder's quantiser is what counts: quality control has then done all that the bitrate alone can do. A rung is
/// left when pictures come out coarser than can be read for a second while the rate is used up, or as soon as the rate
/// falls to half of what they need. From what the pictures cost at the quantiser that they had follows what any rung
/// needs (`LiveDemand`); the highest one that the rate carries is next. One higher up has to be carried with a margin
/// for five seconds. Where that is taken back within fifteen, the next wait is twice as long, up to a minute; where it
/// is not, half.
///
/// Another size costs a keyframe, so there is at most one in three seconds. Steps are taken at a picture, but for one:
/// what has come to rest is looked at closely, and goes to the agreed size. When all moves again the ladder is back at
/// once where it was.
///
/// **Where the figures come from.** x264 at ultrafast and quantiser 38, by FFmpeg: a zooming fractal of 720p, 540p and
/// 360p takes 0.053 to 0.057 bits a pixel at 60 frames a second, 0.059 to 0.069 at 30, 0.082 to 0.088 at 15; at 1080p
/// with its noise 0.11. So bits grow with the pixels, and with the rate to the power of 0.75. A page of text that
/// scrolls by whole pixels takes 0.011 at 1080p60 and 0.15 at 1080p15, and scaled down to 720p 0.26 or ten times the
/// bits, as lines then fall between pixels: one more reason not to make text smaller.
package struct AdaptationLadder: Sendable {
    /// The quantiser at which a picture is too coarse: two steps above what can still be read.
    private static let coarseQuantiser = 40
    /// The bits that are needed for each that the rate carries, two quantiser steps, from which on pictures are coarse.
    private static let coarseShare = 1.26
    /// Twice as many: the rate has fallen to half or less of what would still do.
    private static let slumpShare = 2.52
    /// The share of the rate that coarse pictures would need at least: they may also be so for another reason.
    private static let usedShare = 0.75
    private static let coarseTime = Duration.seconds(1)
    /// The time between two changes of size.
    private static let resizeSpacing = Duration.seconds(3)
    /// The time without a picture after which nothing moves.
    private static let restingTime = Duration.milliseconds(500)
    /// The time without a picture after which the agreed size is coded, and from a change of size to that.
    private static let restTime = Duration.milliseconds(250)
    private static let restSpacing = Duration.seconds(2)
    /// The time in which the rate has to carry half a bit for each pixel for that: else it would never be readable.
    private static let longestRest = Duration.seconds(8)
    /// The seconds of the rate that pictures may take before the ladder goes back.
    private static let returnTime = 0.25
    /// The margin for each rung up.
    private static let margin = 1.3
    private static let leastWait = Duration.seconds(5)
    private static let mostWait = Duration.seconds(60)
    /// The time within which a step up that is taken back was a mistake.
    private static let trialTime = Duration.seconds(15)
    /// The rate from which on text is not made smaller than this.
    private static let leastTextRate = Bitrate.kilobits(150)
    private static let leastTextSide = 720

    /// The rung that is coded in.
    package var rung: LadderRung { rungs[index] }
    /// True while the agreed format itself is coded in.
    package var isTop: Bool { index == 0 }
    package private(set) var content = ContentKind.text
    /// The kind that viewers want what is shown to be taken for; `nil`: it is what it is.
    package var preferred: ContentKind?
    /// The cause why less than agreed is coded, in words; `nil` where it is not.
    package var shortage: String? { isTop ? nil : "\(rung) as the path carries \(rate)" }

    private var agreed: LadderRung
    private var rate: Bitrate
    private var rungs: [LadderRung]
    private var index = 0
    private var demand = LiveDemand()
    private var lastPicture: Instant?
    private var coarseSince: Instant?
    /// True from a fall of the rate to half of what is needed, until a step.
    private var hasSlumped = false
    /// The time from which on the rate has carried each rung above this one, with its margin.
    private var carriedSince: [Instant?] = []
    private var resized: Instant?
    private var wait = AdaptationLadder.leastWait
    private var steppedUp: Instant?
    private var wantedContent = ContentKind.text
    private var isBeginning = false
    /// Where the ladder was before a rest, until it is known whether what comes after it needs that.
    private var rested: Rest?

    private struct Rest {
        let index: Int
        let content: ContentKind
        /// The first picture after it.
        var ended: Instant?
        /// The bits that those after it need.
        var needed = 0.0

        mutating func note(_ bits: Double, now: Instant) {
            needed += bits
            ended = ended ?? now
        }
    }

    /// - Parameter rate: what the path carries; also the agreed rate as long as nothing is known of it.
    package init(size: PixelSize, framesPerSecond: Int, rate: Bitrate) {
        agreed = LadderRung(size: size, framesPerSecond: max(1, framesPerSecond))
        self.rate = rate
        rungs = LadderRung.all(from: agreed, for: .text)
    }

    /// Sets another agreed format. Takes effect at once: whoever agrees on one codes anew anyway.
    ///
    /// - Parameter framesPerSecond: `nil` is the rate as it was agreed on before.
    package mutating func agree(size: PixelSize, framesPerSecond: Int? = nil) {
        let other = LadderRung(size: size, framesPerSecond: max(1, framesPerSecond ?? agreed.framesPerSecond))
        if other == agreed { return }
        agreed = other
        enter(content, at: isTop ? .max : rung.pixelsPerSecond)
    }

    /// Sets what the path carries.
    package mutating func setRate(_ bitrate: Bitrate, now: Instant) {
        let isFall = bitrate < rate
        rate = bitrate
        guard isFall else { return }
        for other in carriedSince.indices where !carries(other) { carriedSince[other] = nil }
        // Half a second of pictures at least: a single one says nothing of those to come.
        if isMoving(now), demand.span * 2 >= .seconds(1), demand.bitsPerSecond >= bits * Self.slumpShare {
            hasSlumped = true
        }
    }

    /// Begins anew at the top: somebody watches who did not, over a path of which nothing is known.
    package mutating func begin() {
        isBeginning = !isTop
        wait = Self.leastWait
        (steppedUp, resized, lastPicture, rested) = (nil, nil, nil, nil)
        (content, wantedContent) = (.text, .text)
        rungs = LadderRung.all(from: agreed, for: .text)
        index = 0
        forget()
    }

    /// Begins at the rung that the rate is likely to carry of such content, as far as that can be known before a
    /// picture is coded.
    package mutating func begin(for kind: ContentKind) {
        begin()
        isBeginning = false
        enter(kind, at: kind == .text ? .max : Int(bits / kind.bitsPerPixel))
        wantedContent = kind
    }

    /// Takes a live picture that was coded: neither a keyframe nor a refinement.
    ///
    /// - Parameters:
    ///   - bits: its size.
    ///   - quantiser: see `CodedQuality`; `nil` where the encoder does not tell. Then `changed` decides.
    ///   - changed: the pixels that have changed.
    package mutating func take(bits: Int, quantiser: Int?, changed: Int, content: ContentKind, now: Instant) {
        if !isMoving(now) {
            coarseSince = nil
            rested = rested.map { Rest(index: $0.index, content: $0.content) }
        }
        lastPicture = now
        wantedContent = preferred ?? content
        let needed =
            quantiser.map { LiveDemand.bits(bits, at: $0) } ?? Double(changed) * content.bitsPerPixel
        demand.note(needed, now: now)
        rested?.note(needed, now: now)
        let isShort = demand.bitsPerSecond >= self.bits * Self.coarseShare
        if isShort || quantiser.map({ $0 >= Self.coarseQuantiser }) ?? false {
            coarseSince = coarseSince ?? now
        } else if quantiser.map({ $0 < LiveDemand.quantiser }) ?? true, demand.bitsPerSecond < self.bits {
            coarseSince = nil
        }
        if !isShort { hasSlumped = false }
        carriedSince = (0..<index).map { other in
            guard carries(other) else { return nil }
            return (other < carriedSince.count ? carriedSince[other] : nil) ?? now
        }
    }

    /// Takes the step that is due, if one is. To be asked after each picture and each change of the rate.
    package mutating func poll(now: Instant) -> LadderStep? {
        if isBeginning {
            isBeginning = false
            return step(.beginning)
        }
        if let steppedUp, now - steppedUp >= Self.trialTime {
            self.steppedUp = nil
            wait = max(Self.leastWait, wait / 2)
        }
        guard isMoving(now) else { return nil }
        if let step = endRest(now) { return step }
        if wantedContent != content { return changeContent(now) }
        let isCoarse = coarseSince.map { now - $0 >= Self.coarseTime } ?? false
        if hasSlumped || isCoarse && demand.bitsPerSecond >= bits * Self.usedShare { return stepDown(now) }
        guard coarseSince == nil else { return nil }
        let higher = carriedSince.indices.first { other in
            carriedSince[other].map { now - $0 >= wait } ?? false && mayMove(to: other, now)
        }
        guard let higher else { return nil }
        steppedUp = now
        move(to: higher, now)
        return step(.recovery)
    }

    /// The time of the step to the agreed size, as nothing moves; `nil` where none is due.
    package var restDeadline: Deadline? {
        guard !isTop, let lastPicture, bits * Self.longestRest.inSeconds * 2 >= Double(agreed.size.area) else {
            return nil
        }
        let at = max(lastPicture + Self.restTime, resized.map { $0 + Self.restSpacing } ?? lastPicture)
        return Deadline(at: at, why: "what rests is coded as it is")
    }

    /// Takes that step, if it is due. What is coded then rests.
    package mutating func pollRest(now: Instant) -> LadderStep? {
        guard let restDeadline, restDeadline.at <= now else { return nil }
        rested = Rest(index: index, content: content)
        move(to: 0, now)
        return step(.rest)
    }

    // MARK: Inside

    /// Goes back to where the ladder was before the rest, as soon as what moves takes more than the rate carries.
    private mutating func endRest(_ now: Instant) -> LadderStep? {
        guard let rest = rested, let ended = rest.ended else { return nil }
        let elapsed = (now - ended).inSeconds
        if rest.content != content || elapsed >= 1 { rested = nil }
        guard rested != nil, rest.needed >= bits * (elapsed + Self.returnTime) else { return nil }
        rested = nil
        guard rungs.indices.contains(rest.index) else { return nil }
        move(to: rest.index, now)
        return step(.shortage)
    }

    private var bits: Double { Double(rate.bitsPerSecond) }

    private func isMoving(_ now: Instant) -> Bool { lastPicture.map { now - $0 <= Self.restingTime } ?? false }

    /// The bits a second that another rung needs for what is shown now.
    private func need(of to: LadderRung) -> Double {
        let from = rung
        let size = Double(to.size.area) / Double(max(1, from.size.area))
        // Where the screen changes less often than it may, other limits above that change nothing.
        let seen = max(1, min(demand.picturesPerSecond, from.framesPerSecond))
        let isFull = seen * 100 >= from.framesPerSecond * 85
        let wanted = isFull && to.framesPerSecond > from.framesPerSecond ? to.framesPerSecond : seen
        let frames = Double(min(wanted, to.framesPerSecond)) / Double(seen)
        // To the power of 0.75: see above.
        return demand.bitsPerSecond * size * (frames.squareRoot() * frames.squareRoot().squareRoot())
    }

    /// Returns whether the rate carries a higher rung, with its margin.
    private func carries(_ other: Int) -> Bool {
        (other..<index).reduce(need(of: rungs[other])) { need, _ in need * Self.margin } <= bits
    }

    /// The lowest rung that there is at this rate.
    private var floor: Int {
        guard content == .text, rate >= Self.leastTextRate else { return rungs.count - 1 }
        return rungs.lastIndex { $0.size == agreed.size || $0.shortSide >= Self.leastTextSide } ?? 0
    }

    private func mayMove(to other: Int, _ now: Instant) -> Bool {
        rungs[other].size == rung.size || mayResize(now)
    }

    private func mayResize(_ now: Instant) -> Bool { resized.map { now - $0 >= Self.resizeSpacing } ?? true }

    private mutating func stepDown(_ now: Instant) -> LadderStep? {
        guard index < floor else {
            hasSlumped = false
            return nil
        }
        let lower = (index + 1)...floor
        let target = lower.first { need(of: rungs[$0]) <= bits } ?? floor
        guard mayMove(to: target, now) else { return nil }
        if steppedUp != nil { wait = min(Self.mostWait, wait * 2) }
        steppedUp = nil
        move(to: target, now)
        return step(.shortage)
    }

    private mutating func changeContent(_ now: Instant) -> LadderStep? {
        let before = rung
        var other = self
        // What the rate carries anyway, other content need not begin below.
        let others = LadderRung.all(from: agreed, for: wantedContent)
        let carried = demand.span * 2 >= .seconds(1) ? others.first { need(of: $0) * Self.margin <= bits } : nil
        other.enter(wantedContent, at: max(before.pixelsPerSecond, carried?.pixelsPerSecond ?? 0))
        let isOtherSize = other.rung.size != before.size
        if isOtherSize, !mayResize(now) { return nil }
        self = other
        if isOtherSize { resized = now }
        return rung == before ? nil : step(.content(content))
    }

    private mutating func enter(_ kind: ContentKind, at pixelsPerSecond: Int) {
        content = kind
        rungs = LadderRung.all(from: agreed, for: kind)
        index = min(place(of: pixelsPerSecond, in: rungs), floor)
        rested = nil
        forget()
    }

    /// The first rung that takes hardly more than so many pixels a second.
    private func place(of pixelsPerSecond: Int, in rungs: [LadderRung]) -> Int {
        rungs.firstIndex { $0.pixelsPerSecond / 5 * 4 <= pixelsPerSecond } ?? rungs.count - 1
    }

    private mutating func move(to other: Int, _ now: Instant) {
        if rungs[other].size != rung.size { resized = now }
        index = other
        forget()
    }

    /// Forgets what was measured: it was another rung's.
    private mutating func forget() {
        demand = LiveDemand()
        (coarseSince, hasSlumped, carriedSince) = (nil, false, [])
    }

    private func step(_ reason: LadderStep.Reason) -> LadderStep {
        LadderStep(rung: rung, reason: reason, bitrate: rate, isTop: isTop)
    }
}

extension ContentKind {
    /// The bits that a changed pixel needs in each picture, where the encoder does not tell: between what was measured
    /// of what moves (0.053 to 0.11), and of scrolled text (0.011 to 0.15).
    fileprivate var bitsPerPixel: Double {
        switch self {
        case .text: 0.03
        case .motion: 0.06
        }
    }
}
