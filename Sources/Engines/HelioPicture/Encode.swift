internal import HelioCore
internal import HelioMedia

/// One encode of a screen: what its viewers wait for, in which format it is coded, and what is due next.
///
/// The main encode is told by the screen what has changed. Any other keeps the part that has changed since its own last
/// picture, and captures that.
struct Encode: Sendable {
    /// What is due.
    enum Task: Sendable, Hashable {
        /// A keyframe that was coded aside is complete.
        case takeKeyframe
        case capture
        /// Nothing moves: the agreed size comes.
        case rest
        /// The resting picture is sharpened by this step.
        case refine(Int)
        /// The picture is coded once more, though nothing has changed.
        case again
    }

    /// The reason why an encoder has to be made.
    enum Cause: Sendable {
        /// There is none yet.
        case start
        /// Another codec or chroma format was agreed on.
        case agreement
        /// The present one does not take the wanted format.
        case refusal(HelioError)
        case failure(HelioError)
    }

    /// The time without a picture after which an all-new one may be a keyframe: it costs hardly more than another.
    private static let restingTime = Duration.milliseconds(500)

    let id: EncodingID

    // MARK: The format

    /// The format that is agreed on: the ceiling for what the path carries.
    var agreed: VideoFormat
    /// The bitrate that the path carries.
    var rate: Bitrate
    /// The format that the encoder codes.
    private(set) var coded: VideoFormat
    /// The wanted format that no encoder takes: it is not tried again.
    private var refused: VideoFormat?
    /// The encoder that has to be made, and why.
    private(set) var need: (cause: Cause, format: VideoFormat, isFallback: Bool)?
    private(set) var traits: EncoderTraits
    /// True once the chosen encoder has failed: reliable software codes the rest.
    private(set) var isFallenBack: Bool
    /// The failures of the encoder without a frame in between.
    var failures = 0
    /// The size and chroma of the picture that is captured into; `nil`: it has to be made anew.
    private var picture: (size: PixelSize, chroma: ChromaSampling)?
    /// False where the screen has another size: the old format can't be coded any more.
    private var mayKeep = true
    /// The step to another format that has been taken, to be told once it is coded.
    private(set) var announcement: String?

    /// True where size and frame rate follow the path, too (row 6).
    var followsPath: Bool
    var ladder: AdaptationLadder
    var watch = ContentWatch()
    var planner = RefinementPlanner()
    private var pacer: CapturePacer

    // MARK: What is owed

    var wishes = PictureWishes()
    /// True where the next picture is of another size because nothing moves.
    private var rests = false
    /// True where somebody wants the picture once more, changed or not.
    var repeats = false
    /// True where a captured picture waits for the keyframe that is coded aside: it is captured anew then.
    private var waitsForKeyframe = false
    /// True where the picture has changed since the keyframe that has just been taken: it comes right behind.
    private(set) var follows = false
    /// True where the picture does not hold the screen's content: the first one, another size, after nobody watched.
    private(set) var isWhole = true
    /// True where the screen has had nothing to capture: it is asked again once it tells of something.
    private(set) var isBlank = false
    /// The time of the oldest change that is not captured yet.
    private(set) var changedAt: Instant?
    /// The part of the screen that has changed since the last picture; `nil`: the screen keeps it.
    private var part: Region?
    var frameIndex: UInt64
    private var lastCoded: Instant?
    /// True where the last picture was another than the one before it.
    private var lastHasChanged = false
    /// The longest time between two pictures; `nil`: as long as nothing changes.
    private let longestPause: Duration?
    /// The time that the last picture took.
    var cost = Duration.zero

    /// The main encode, whose encoder and picture are there.
    init(main format: VideoFormat, _ traits: EncoderTraits, followsPath: Bool, longestPause: Duration?) {
        self.init(
            .main, format, traits, isFallenBack: false, followsPath: followsPath, longestPause: longestPause,
            frameIndex: EncodingID.main.firstFrameIndex, part: nil)
        picture = (format.size, format.chroma)
    }

    /// The second encode of a screen, whose encoder has to be made.
    ///
    /// - Parameters:
    ///   - agreed: the largest size, the most frames and the bitrate.
    ///   - watch: what the main encode has seen of the screen.
    ///   - isFallenBack: whether the chosen encoder has failed already.
    init(
        second agreed: VideoFormat, watch: ContentWatch, preferred: ContentKind?, isFallenBack: Bool, followsPath: Bool,
        frameIndex: UInt64, screen: PixelSize, now: Instant
    ) {
        self.init(
            .second, agreed, EncoderTraits(summary: "", isHardware: false), isFallenBack: isFallenBack,
            followsPath: followsPath, longestPause: nil, frameIndex: frameIndex, part: Region(PixelRect(screen)))
        self.watch = watch
        if followsPath { ladder.begin(for: watch.kind) }
        ladder.preferred = preferred
        coded = target
        need = (.start, coded, isFallenBack)
        changedAt = now
    }

    private init(
        _ id: EncodingID, _ agreed: VideoFormat, _ traits: EncoderTraits, isFallenBack: Bool, followsPath: Bool,
        longestPause: Duration?, frameIndex: UInt64, part: Region?
    ) {
        self.id = id
        self.agreed = agreed
        rate = agreed.bitrate
        coded = agreed
        self.traits = traits
        self.isFallenBack = isFallenBack
        self.followsPath = followsPath
        self.longestPause = longestPause
        self.frameIndex = frameIndex
        self.part = part
        ladder = AdaptationLadder(
            size: agreed.size, framesPerSecond: agreed.framesPerSecond, rate: agreed.bitrate)
        pacer = CapturePacer(framesPerSecond: agreed.framesPerSecond)
        wishes.ask(KeyframeWish("the encode begins"))
        isWhole = part == nil
    }

    // MARK: What is due

    var needsKeyframe: Bool { wishes.keyframe != nil }

    /// True where somebody can't go on without a picture of another kind, changed or not.
    var isAwaited: Bool { !isBlank && !wishes.isEmpty }

    /// True where something has changed that is not captured yet.
    var hasChanged: Bool { part.map { !$0.isEmpty } ?? (changedAt != nil) }

    /// True where nothing is captured before the keyframe that is coded aside was taken; `waker` tells of that.
    private func isHeldUp(_ state: EncoderState) -> Bool {
        waitsForKeyframe && state.keyframeAside != .absent && !isWhole
    }

    /// The task that is due; `nil`: none before `due(_:now:)`.
    mutating func task(_ state: EncoderState, now: Instant) -> Task? {
        if !isWhole {
            if state.keyframeAside == .complete { return .takeKeyframe }
            if follows { return .capture }
            if isHeldUp(state) { return nil }
        }
        if hasChanged || isAwaited { return earliestCapture(state, now: now) <= now ? .capture : nil }
        if followsPath, let due = ladder.restDeadline?.at, due <= now { return .rest }
        // A keyframe that is coded aside begins the refinement anew.
        if state.keyframeAside == .absent, state.debt == .zero, let step = planner.due(now: now) {
            return .refine(step)
        }
        if !isWhole, repeats || pauseEnd.map({ $0 <= now }) ?? false { return .again }
        return nil
    }

    /// The time of the next task, which may be past; `nil` where there is none.
    func due(_ state: EncoderState, now: Instant) -> Instant? {
        if !isWhole, state.keyframeAside == .complete || follows { return now }
        if isHeldUp(state) { return nil }
        var due: Instant?
        if hasChanged || isAwaited {
            due = earliestCapture(state, now: now)
        } else if state.keyframeAside == .absent, let refinement = planner.deadline?.at {
            due = max(refinement, now + state.debt)
        }
        if followsPath, let rest = ladder.restDeadline?.at { due = min(due ?? rest, rest) }
        if !isWhole, let pause = repeats ? now : pauseEnd { due = min(due ?? pause, pause) }
        return due
    }

    /// The time at which the next picture may be captured: one that waits for its turn on the path is captured when that
    /// comes, not before.
    private func earliestCapture(_ state: EncoderState, now: Instant) -> Instant {
        let earliest = pacer.earliestCapture(now: changedAt ?? now)
        let debt = state.debt - coded.frameInterval
        return debt > .zero ? max(earliest, now + debt) : earliest
    }

    /// True where the main encode leaves room for a picture that takes so long, before its own turn comes.
    func leavesRoom(for cost: Duration, now: Instant) -> Bool {
        !hasChanged && !isAwaited || pacer.earliestCapture(now: now) - now >= cost
    }

    /// When the next picture is due, even where nothing changes: a frame's time after one that has changed, as players
    /// show that one when the next is there, and then after each pause.
    private var pauseEnd: Instant? {
        guard let longestPause, let lastCoded else { return nil }
        return lastCoded + (lastHasChanged ? min(coded.frameInterval, longestPause) : longestPause)
    }

    // MARK: What the screen and viewers say

    /// Takes what viewers lack. An encode that keeps its own part waits from now on.
    mutating func want(_ new: PictureWishes, now: Instant) {
        wishes.merge(new)
        changedAt = changedAt ?? now
    }

    /// The screen is asked again, as it has told of something.
    mutating func unblank() { isBlank = false }

    mutating func changed(at now: Instant) {
        changedAt = changedAt ?? now
        isBlank = false
    }

    /// Notes what has changed in the main encode's picture of that size, for an encode that keeps it itself.
    mutating func note(_ damage: Region, of size: PixelSize, screen: PixelSize, now: Instant) {
        for rect in damage.rects { part?.add(rect.scaled(from: size, to: screen)) }
        changedAt = changedAt ?? now
    }

    /// Captures everything with the next picture.
    mutating func becomeWhole(_ screen: PixelSize) {
        if part == nil { isWhole = true } else { part = Region(PixelRect(screen)) }
        isBlank = false
    }

    /// The screen has another size: the old picture and format are of no use.
    mutating func lose(picture size: PixelSize) {
        agreed.size = size
        ladder.agree(size: size)
        (picture, refused, mayKeep) = (nil, nil, false)
        wishes.ask(KeyframeWish("the screen has another size"))
    }

    // MARK: Capture

    /// Begins to capture: how much, and since when it has waited; `nil` where nothing has to be captured.
    mutating func beginCapture(now: Instant) -> (extent: CaptureExtent?, damaged: Instant) {
        let damaged = changedAt ?? now
        changedAt = nil
        guard let part else { return (isWhole ? .everything : .changes, damaged) }
        self.part = Region()
        return (part.isEmpty ? nil : .part(part), damaged)
    }

    /// Takes what was captured; gives the picture to code, if there is one.
    mutating func take(_ captured: Captured?, of extent: CaptureExtent?, now: Instant) -> Captured? {
        let nothing = Captured(damage: Region(), captured: now, converted: now)
        guard let captured else {
            if case .part(let part) = extent {
                // The layout is about to change.
                self.part = part
                return nil
            }
            // Nothing has changed after all, or no picture has come yet.
            if isWhole { isBlank = true }
            guard !isWhole, isAwaited || repeats || follows else { return nil }
            pacer.captured(at: now)
            return nothing
        }
        isWhole = false
        pacer.captured(at: captured.captured)
        if captured.damage.isEmpty, !isAwaited, !follows { return nil }
        if let wanted, isRatesAlone(wanted), isAllNew(captured) {
            wishes.ask(KeyframeWish("another rate waits for one"))
        }
        return captured
    }

    /// True for a picture that is all new after a rest: coding it without reference to any before it loses nothing.
    private func isAllNew(_ captured: Captured) -> Bool {
        captured.damage.area * 4 >= coded.size.area * 3
            && lastCoded.map { captured.captured - $0 >= Self.restingTime } ?? true
    }

    /// True for a picture of which so little changed that the refinement of the rest may go on.
    func isSmall(_ captured: Captured) -> Bool { captured.damage.area * 50 <= coded.size.area }

    // MARK: Coding

    /// A repair picture that the encoder does not code has to be a keyframe.
    mutating func chooseKind(_ state: EncoderState) {
        if let repair = wishes.repair, !state.repairs, !needsKeyframe { wishes.ask(KeyframeWish(repair.reason)) }
    }

    mutating func makeRequest(_ state: EncoderState, refinement: Int) -> EncodeRequest {
        let request = EncodeRequest(
            keyframe: needsKeyframe, refinement: refinement, repairSince: needsKeyframe ? nil : wishes.repair?.since,
            frameIndex: frameIndex, rests: rests)
        wishes.clear()
        (repeats, rests, follows) = (false, false, false)
        if state.keyframeAside == .absent { waitsForKeyframe = false }
        return request
    }

    /// Takes the result of coding; false where it gave no picture.
    mutating func take(_ picture: CodedPicture, _ captured: Captured, refinement: Int, _ state: EncoderState) -> Bool {
        failures = 0
        if picture.bytes == 0, refinement > 0 || state.keyframeAside != .absent {
            // Nothing was to be refined, or it comes with a keyframe or after it.
            if refinement == 0, !captured.damage.isEmpty { waitsForKeyframe = true }
            return false
        }
        frameIndex += 1
        lastCoded = captured.captured
        lastHasChanged = !captured.damage.isEmpty || refinement > 0
        if followsPath || part != nil, !picture.isKeyframe, refinement == 0, !captured.damage.isEmpty {
            ladder.take(captured, of: coded.size, bits: picture.bytes * 8, quality: state.quality, watch: &watch)
        }
        if picture.isBroken { wishes.ask(KeyframeWish("a slice was lost")) }
        return true
    }

    /// Notes that a keyframe which was coded aside has gone out: all who asked up to now have it.
    mutating func tookKeyframe(isBehind: Bool, isBroken: Bool, _ state: EncoderState, now: Instant) {
        failures = 0
        frameIndex += 1
        wishes.clear()
        if isBroken { wishes.ask(KeyframeWish("a slice was lost")) }
        waitsForKeyframe = false
        lastCoded = now
        planner.steps = state.refinementSteps
        planner.changed(at: now)
        if isBehind { (repeats, follows) = (true, true) }
    }

    // MARK: Towards the wanted format

    /// The wanted format: the agreed one, in the size and at the rates that the path carries.
    private var target: VideoFormat {
        var format = agreed
        format.size = ladder.rung.size
        format.framesPerSecond = ladder.rung.framesPerSecond
        format.bitrate = min(rate, agreed.bitrate)
        return format
    }

    /// The wanted format, where another one is coded.
    private var wanted: VideoFormat? { target == coded || target == refused ? nil : target }

    private func isRatesAlone(_ wanted: VideoFormat) -> Bool {
        var same = wanted
        (same.bitrate, same.framesPerSecond) = (coded.bitrate, coded.framesPerSecond)
        return same == coded
    }

    /// The step that brings the encode nearer to the wanted format; `nil` where it is coded, or has to wait. Other rates
    /// never cost a keyframe: where the encoder can't take them without one, they wait for the next.
    mutating func nextChange(_ state: EncoderState?) -> PictureStep? {
        let wanted = wanted
        pacer.setRate(framesPerSecond: (wanted ?? coded).framesPerSecond)
        if need == nil, let wanted, wanted.codec != coded.codec || wanted.chroma != coded.chroma {
            need = (.agreement, wanted, isFallenBack)
        }
        if let need { return .makeEncoder(id, need.format, isFallback: need.isFallback) }
        if let wanted {
            let waits = isRatesAlone(wanted) && !needsKeyframe && !(state?.changesRatesInPlace ?? true)
            if !waits { return .reconfigure(id, wanted) }
        }
        if picture.map({ $0.size != coded.size || $0.chroma != coded.chroma }) ?? true {
            return .makePicture(id, coded)
        }
        mayKeep = true
        return nil
    }

    /// The encoder codes what was wanted from now on.
    mutating func reconfigured() {
        coded = target
        refused = nil
    }

    mutating func madePicture(_ screen: PixelSize) {
        picture = (coded.size, coded.chroma)
        wishes.ask(KeyframeWish("another size"))
        becomeWhole(screen)
    }

    /// An encoder has to be made, as the present one has failed or does not take the wanted format.
    mutating func replaceEncoder(_ cause: Cause) {
        if traits.isHardware {
            need = (cause, wanted ?? coded, isFallback: true)
        } else if case .refusal = cause {
            need = (cause, target, isFallenBack)
        } else {
            need = (cause, coded, isFallenBack)
        }
    }

    /// The encoder that was needed is there.
    ///
    /// - Returns: the name of the one before, where that was given up.
    mutating func madeEncoder(_ new: EncoderTraits) -> String? {
        guard let need else { return nil }
        let before = traits.summary
        let fallsBack = need.isFallback && !isFallenBack
        (traits, coded, refused, self.need) = (new, need.format, nil, nil)
        wishes.ask(KeyframeWish("another encoder"))
        guard fallsBack else { return nil }
        isFallenBack = true
        if case .start = need.cause { return nil }
        failures = 0
        return before
    }

    /// The first encoder can't be made: the likeliest one to work is next. Returns false where that was it.
    mutating func tryFallback() -> Bool {
        guard let need, !need.isFallback else { return false }
        self.need = (need.cause, need.format, true)
        return true
    }

    /// No encoder takes the wanted format. Returns false where the old one can't be kept either.
    mutating func keepFormat() -> Bool {
        let wanted = need?.format ?? target
        need = nil
        announcement = nil
        guard mayKeep else { return false }
        if followsPath, !ladder.isTop {
            // An encoder that refuses this size refuses the next one, too: nothing but the agreed format is asked of it.
            followsPath = false
            ladder.begin()
        }
        refused = wanted
        return true
    }

    /// The agreed codec can't be coded: the old one stays.
    mutating func keepCodec() {
        need = nil
        (agreed.codec, agreed.chroma) = (coded.codec, coded.chroma)
    }

    // MARK: What the path carries

    /// Takes the ladder's step, if one is due.
    mutating func adapt(now: Instant) {
        guard followsPath, let step = ladder.poll(now: now) else { return }
        announcement = step.sentence
    }

    /// Goes to the agreed size, as nothing moves.
    mutating func rest(now: Instant) {
        guard let step = ladder.pollRest(now: now) else { return }
        rests = true
        announcement = step.sentence
    }

    mutating func takeAnnouncement() -> String? {
        defer { announcement = nil }
        return announcement
    }
}

extension PixelRect {
    /// The part of another size of the same picture that a part of this one is made of, a pixel more at each side: what
    /// lies at its edges is mixed.
    fileprivate func scaled(from size: PixelSize, to other: PixelSize) -> PixelRect {
        if size == other { return self }
        let (left, top) = (x * other.width / size.width - 1, y * other.height / size.height - 1)
        let right = (maxX * other.width + size.width - 1) / size.width + 1
        let bottom = (maxY * other.height + size.height - 1) / size.height + 1
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top).intersection(PixelRect(other))
    }
}
