package import HelioCore
package import HelioMedia

/// Chooses the size and frame rate in which a screen is encoded if the path's rate is too low for the agreed format
/// (requirement row 6): a ladder from that format down to 360p10, or for text to 720p10 while the rate is at least 150
/// kbit/s.
///
/// The encoder's quantiser decides: when it is high, rate control can lower the bitrate only by a coarser picture. The
/// ladder leaves a rung when pictures are too coarse to read for a second while the encoder uses up the rate, or as
/// soon as the rate falls to two fifths of the bits that they need. The bits of the pictures at their quantiser predict
/// the rate that any rung needs (`LiveDemand`); the ladder steps to the highest rung whose need is within the rate. It
/// steps up once the rate has exceeded the higher rung's need by a margin for five seconds. If it steps down again
/// within fifteen seconds, this wait is doubled, up to a minute; otherwise it is halved.
///
/// A machine that is too slow for moving pictures in the agreed size encodes them in a smaller one (`EncodingLoad`):
/// smooth motion at half the size looks better than a quarter of the pictures lost, and the picture is sharp again as
/// soon as it rests.
///
/// A change of size costs a keyframe, so the size changes at most once in three seconds, apart from the steps before
/// and after a rest. The ladder steps only while the screen changes, with one exception: a screen at rest is encoded in
/// the agreed size, as viewers then look at details. As soon as moving pictures exceed the rate again, the ladder
/// returns to its rung from before the rest.
///
/// **Origin of the figures.** A zooming fractal, encoded by FFmpeg with x264 at ultrafast and quantiser 38, takes 0.053
/// to 0.057 bits a pixel at 60 frames a second, 0.059 to 0.069 at 30, and 0.082 to 0.088 at 15, in 720p, 540p and 360p;
/// in 1080p, with its noise, it takes 0.11. So bits grow with the number of pixels, and with the frame rate to the
/// power of 0.75. A page of text that scrolls by whole pixels takes 0.011 at 1080p60 and 0.15 at 1080p15, but scaled
/// down to 720p 0.26, ten times the bits, as lines then fall between pixels: one more reason to keep text at its size.
package struct AdaptationLadder: Sendable {
    /// The quantiser at which a picture is too coarse: two steps above the coarsest that can be read.
    private static let coarseQuantiser = 40
    /// Pictures count as coarse if they need at least this multiple of the rate: it corresponds to two quantiser steps.
    private static let coarseShare = 1.26
    /// The rate has slumped if pictures need at least this multiple of it: twice `coarseShare`, so the rate is at most
    /// half of the lowest rate at which they are not coarse.
    private static let slumpShare = 2.52
    /// Coarse pictures cause a step down only if they need at least this share of the rate; otherwise the rate is not
    /// the reason why they are coarse.
    private static let usedShare = 0.75
    private static let coarseTime = Duration.seconds(1)
    /// The least time between two changes of size.
    private static let resizeSpacing = Duration.seconds(3)
    /// The time without a picture after which the screen counts as at rest.
    private static let restingTime = Duration.milliseconds(500)
    /// The time without a picture after which the agreed size is encoded.
    private static let restTime = Duration.milliseconds(250)
    /// The minimum time from a change of size to the encoding of the agreed size at rest.
    private static let restSpacing = Duration.seconds(2)
    /// The longest time that half a bit per pixel of the agreed size may take at the rate. If it takes longer, the
    /// screen at rest stays at its rung, as the larger picture would not become readable in time.
    private static let longestRest = Duration.seconds(8)
    /// The excess of the pictures' bits over the rate, expressed in seconds of the rate, at which the ladder returns to
    /// its rung from before the rest.
    private static let returnTime = 0.25
    /// The factor by which the rate has to exceed the need, for each rung of a step up.
    private static let margin = 1.3
    private static let leastWait = Duration.seconds(5)
    private static let mostWait = Duration.seconds(60)
    /// The time after a step up within which a step down doubles the wait before the next step up.
    private static let trialTime = Duration.seconds(15)
    /// The minimum rate at which a picture of text is not scaled down below a short side of `leastTextSide` pixels.
    private static let leastTextRate = Bitrate.kilobits(150)
    private static let leastTextSide = 720
    /// The time for which encoding has to saturate the machine before the pictures become smaller, the number of
    /// pictures measured by then, and the number of pictures after a rest that suffice if they were smaller before it.
    private static let saturatedTime = Duration.seconds(1)
    private static let saturatedPictures = 20
    private static let returningPictures = 6
    /// The frame rate in frames a second that is not reduced because the machine is too slow: smaller pictures are.
    private static let smoothRate = 60
    /// The least short side to which pictures shrink because the machine is too slow.
    private static let leastSaturatedSide = 720

    /// The rung to encode in; until the encoder is reconfigured, it still uses the previous rung.
    package var rung: LadderRung { rungs[index] }
    /// True while the agreed format itself is encoded.
    package var isTop: Bool { index == 0 }
    package private(set) var content = ContentKind.text
    /// The kind of content that viewers have chosen for the screen; `nil` for the detected kind.
    package var preferred: ContentKind?
    /// A human-readable reason why less than the agreed format is encoded; `nil` while the agreed format is encoded.
    package var shortage: String? {
        if isTop { return nil }
        return isLoadLimited ? "\(rung) as this machine encodes no more" : "\(rung) as the network carries \(rate)"
    }

    private var agreed: LadderRung
    private var rate: Bitrate
    private var rungs: [LadderRung]
    private var index = 0
    private var demand = LiveDemand()
    private var load = EncodingLoad()
    private var saturatedSince: Instant?
    /// True once this machine was too slow for a higher rung, until the top is reached again while the screen moves.
    private var isLoadLimited = false
    private var lastPicture: Instant?
    private var coarseSince: Instant?
    /// True once the rate has fallen to two fifths of the needed bits, until the next step or until the rate suffices
    /// again.
    private var hasSlumped = false
    /// For each higher rung, the time since when the rate has been continuously high enough for that rung, margin
    /// included; `nil` while the rate is too low.
    private var carriedSince: [Instant?] = []
    private var resized: Instant?
    private var wait = AdaptationLadder.leastWait
    private var steppedUp: Instant?
    private var wantedContent = ContentKind.text
    private var isBeginning = false
    /// The state before a rest of the screen, kept until the bits that pictures need after the rest are known.
    private var rested: Rest?

    private struct Rest {
        let index: Int
        let content: ContentKind
        /// The time of the first picture after the rest.
        var ended: Instant?
        /// The bits at readable quality of the pictures since `ended`.
        var needed = 0.0

        mutating func note(_ bits: Double, now: Instant) {
            needed += bits
            ended = ended ?? now
        }
    }

    /// - Parameter rate: the path's rate; the agreed bitrate while the path's rate is unknown.
    package init(size: PixelSize, framesPerSecond: Int, rate: Bitrate) {
        agreed = LadderRung(size: size, framesPerSecond: max(1, framesPerSecond))
        self.rate = rate
        rungs = LadderRung.all(from: agreed, for: .text)
    }

    /// Sets another agreed format, which takes effect at once, as an agreement restarts the encoder anyway.
    ///
    /// - Parameter framesPerSecond: `nil` keeps the agreed frame rate.
    package mutating func agree(size: PixelSize, framesPerSecond: Int? = nil) {
        let other = LadderRung(size: size, framesPerSecond: max(1, framesPerSecond ?? agreed.framesPerSecond))
        if other == agreed { return }
        agreed = other
        enter(content, at: isTop ? .max : rung.pixelsPerSecond)
    }

    /// Sets the path's rate. A fall of the rate can make the next `poll` step down at once.
    package mutating func setRate(_ bitrate: Bitrate, now: Instant) {
        let isFall = bitrate < rate
        rate = bitrate
        guard isFall else { return }
        for other in carriedSince.indices where !carries(other) { carriedSince[other] = nil }
        // Require pictures over at least half a second, as a single picture does not show the need.
        if isMoving(now), demand.span * 2 >= .seconds(1), demand.bitsPerSecond >= bits * Self.slumpShare {
            hasSlumped = true
        }
    }

    /// Restarts at the top, as a first viewer begins to watch over a path of unknown rate.
    package mutating func begin() {
        isBeginning = !isTop
        wait = Self.leastWait
        (steppedUp, resized, lastPicture, rested) = (nil, nil, nil, nil)
        isLoadLimited = false
        (content, wantedContent) = (.text, .text)
        rungs = LadderRung.all(from: agreed, for: .text)
        index = 0
        forget()
    }

    /// Restarts at the highest rung whose estimated need is within the rate. Before a picture is encoded, the estimate
    /// is based on the kind of content alone.
    package mutating func begin(for kind: ContentKind) {
        begin()
        isBeginning = false
        enter(kind, at: kind == .text ? .max : Int(bits / kind.bitsPerPixel))
        wantedContent = kind
    }

    /// Processes an encoded live picture: neither a keyframe nor a refinement.
    ///
    /// - Parameters:
    ///   - bits: the picture's encoded size in bits.
    ///   - quantiser: the quantiser by `CodedQuality`; `nil` if the encoder does not report it: the need is then
    ///     estimated from `changed`.
    ///   - changed: the number of changed pixels.
    ///   - work: the time from the picture's capture to the end of its encoding; `nil` if it was not measured.
    package mutating func take(
        bits: Int, quantiser: Int?, changed: Int, work: Duration? = nil, content: ContentKind, now: Instant
    ) {
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
        if let work, changed * 2 >= rung.size.area { load.take(work, captured: now) }
        let isSaturated = load.isSaturated(at: rung.framesPerSecond, after: Self.saturatedPictures)
        saturatedSince = isSaturated ? saturatedSince ?? now : nil
        carriedSince = (0..<index).map { other in
            guard carries(other) else { return nil }
            return (other < carriedSince.count ? carriedSince[other] : nil) ?? now
        }
    }

    /// Steps to another rung if a step is due, and returns the step. Call it after each picture and each change of the
    /// rate.
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
        if let saturatedSince, now - saturatedSince >= Self.saturatedTime, let step = shrink(now) { return step }
        guard coarseSince == nil, saturatedSince == nil else { return nil }
        let higher = carriedSince.indices.first { other in
            carriedSince[other].map { now - $0 >= wait } ?? false && mayMove(to: other, now)
        }
        guard let higher else { return nil }
        steppedUp = now
        move(to: higher, now)
        if isTop { isLoadLimited = false }
        return step(.recovery)
    }

    /// The time of the step to the agreed size while the screen is at rest; `nil` if no step is due.
    package var restDeadline: Deadline? {
        guard !isTop, let lastPicture, bits * Self.longestRest.inSeconds * 2 >= Double(agreed.size.area) else {
            return nil
        }
        let at = max(lastPicture + Self.restTime, resized.map { $0 + Self.restSpacing } ?? lastPicture)
        return Deadline(at: at, why: "what rests is coded as it is")
    }

    /// Steps to the agreed size if that step is due, and returns the step. The screen counts as at rest from then on.
    package mutating func pollRest(now: Instant) -> LadderStep? {
        guard let restDeadline, restDeadline.at <= now else { return nil }
        rested = Rest(index: index, content: content)
        move(to: 0, now)
        return step(.rest)
    }

    // MARK: Steps

    /// Returns to the rung from before the rest as soon as moving pictures need more than the rate.
    private mutating func endRest(_ now: Instant) -> LadderStep? {
        guard let rest = rested, let ended = rest.ended else { return nil }
        let elapsed = (now - ended).inSeconds
        if rest.content != content || elapsed >= 1 { rested = nil }
        let isShort = rest.needed >= bits * (elapsed + Self.returnTime)
        let isSlow =
            isLoadLimited && load.isSaturated(at: rung.framesPerSecond, after: Self.returningPictures)
        guard rested != nil, isShort || isSlow else { return nil }
        rested = nil
        guard rungs.indices.contains(rest.index) else { return nil }
        move(to: rest.index, now)
        return step(isShort ? .shortage : .load)
    }

    private var bits: Double { Double(rate.bitsPerSecond) }

    private func isMoving(_ now: Instant) -> Bool { lastPicture.map { now - $0 <= Self.restingTime } ?? false }

    /// The bitrate that another rung needs for the present content, in bits per second.
    private func need(of to: LadderRung) -> Double {
        let from = rung
        let size = Double(to.size.area) / Double(max(1, from.size.area))
        // A higher frame rate limit adds no pictures if the screen changes less often than the present limit allows.
        let seen = max(1, min(demand.picturesPerSecond, from.framesPerSecond))
        let isFull = seen * 100 >= from.framesPerSecond * 85
        let wanted = isFull && to.framesPerSecond > from.framesPerSecond ? to.framesPerSecond : seen
        let frames = Double(min(wanted, to.framesPerSecond)) / Double(seen)
        // The frame rate counts to the power of 0.75: see the type's documentation.
        return demand.bitsPerSecond * size * (frames.squareRoot() * frames.squareRoot().squareRoot())
    }

    /// Returns whether the rate is at least a higher rung's need, with a margin for each rung in between.
    private func carries(_ other: Int) -> Bool {
        (other..<index).reduce(need(of: rungs[other])) { need, _ in need * Self.margin } <= bits && isEncodable(other)
    }

    /// Returns whether a rung is used because the machine is too slow for a larger one. Half of the agreed size is
    /// scaled to several times faster than other sizes.
    private func isQuick(_ other: Int) -> Bool {
        func isHalf(_ size: PixelSize) -> Bool {
            size.width * 2 == agreed.size.width && size.height * 2 == agreed.size.height
        }
        guard rungs[other].shortSide >= Self.leastSaturatedSide else { return false }
        let hasHalf = rungs.contains { isHalf($0.size) && $0.shortSide >= Self.leastSaturatedSide }
        return !hasHalf || isHalf(rungs[other].size)
    }

    /// Returns whether this machine can encode a rung's moving pictures, as far as that was measured.
    private func isEncodable(_ other: Int) -> Bool {
        if content == .text { return true }
        if isLoadLimited, rungs[other].size != agreed.size, !isQuick(other) { return false }
        if load.pictures < Self.saturatedPictures { return !isLoadLimited }
        let size = Double(rungs[other].size.area) / Double(max(1, rung.size.area))
        return load.carries(rungs[other].framesPerSecond, size: size)
    }

    /// The index of the lowest rung allowed at this rate for this content: text stays at 720p or more while the rate
    /// allows.
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
        moveDown(to: target, now)
        return step(.shortage)
    }

    /// Steps to smaller moving pictures, which this machine encodes fast enough; `nil` if there are none.
    private mutating func shrink(_ now: Instant) -> LadderStep? {
        guard content == .motion, mayResize(now) else { return nil }
        let smaller = rungs.indices.filter { other in
            rungs[other].size.area < rung.size.area && isQuick(other)
                && rungs[other].framesPerSecond >= min(rung.framesPerSecond, Self.smoothRate)
        }
        guard let target = smaller.first(where: isEncodable) ?? smaller.last else { return nil }
        moveDown(to: target, now)
        isLoadLimited = true
        return step(.load)
    }

    private mutating func changeContent(_ now: Instant) -> LadderStep? {
        let before = rung
        var other = self
        // The new kind of content begins at the present rung's pixel rate, or higher if the path's rate suffices for
        // more.
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

    /// The index of the first rung that has at most 1.25 times `pixelsPerSecond`; the lowest rung if there is none.
    private func place(of pixelsPerSecond: Int, in rungs: [LadderRung]) -> Int {
        rungs.firstIndex { $0.pixelsPerSecond / 5 * 4 <= pixelsPerSecond } ?? rungs.count - 1
    }

    /// Moves to a lower rung; soon after a step up, the next step up is tried later.
    private mutating func moveDown(to other: Int, _ now: Instant) {
        if steppedUp != nil { wait = min(Self.mostWait, wait * 2) }
        steppedUp = nil
        move(to: other, now)
    }

    private mutating func move(to other: Int, _ now: Instant) {
        if rungs[other].size != rung.size { resized = now }
        index = other
        forget()
    }

    /// Discards the measurements, which hold only for the rung they were made at.
    private mutating func forget() {
        (demand, load) = (LiveDemand(), EncodingLoad())
        (coarseSince, hasSlumped, carriedSince, saturatedSince) = (nil, false, [], nil)
    }

    private func step(_ reason: LadderStep.Reason) -> LadderStep {
        LadderStep(rung: rung, reason: reason, bitrate: rate, isTop: isTop)
    }
}

extension ContentKind {
    /// The bits that a changed pixel needs in each picture, used if the encoder reports no quantiser: between the
    /// values measured for moving content (0.053 to 0.11) and for scrolled text (0.011 to 0.15).
    fileprivate var bitsPerPixel: Double {
        switch self {
        case .text: 0.03
        case .motion: 0.06
        }
    }
}
