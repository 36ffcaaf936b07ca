internal import HelioCore
internal import HelioMedia

/// One encode of a screen: its viewers' pending picture requests, the format that it is coded in, and its next task.
///
/// For the main encode the screen tracks the damage. The second encode tracks the damage since its own last picture,
/// and captures only that part.
struct Encode: Sendable {
    /// A task of an encode.
    enum Task: Sendable, Hashable {
        /// Fetch the complete keyframe that the encoder has coded aside (`KeyframeAside`).
        case takeKeyframe
        case capture
        /// Switch to the agreed size, as the screen is at rest.
        case rest
        /// Refine the resting picture by this refinement step, 1 or more.
        case refine(Int)
        /// Encode the unchanged picture once more.
        case again
    }

    /// The reason why an encoder has to be made.
    enum Cause: Sendable {
        /// The encode has no encoder yet.
        case start
        /// Another codec or chroma format was agreed on.
        case agreement
        /// The present encoder has refused the wanted format.
        case refusal(HelioError)
        case failure(HelioError)
    }

    /// The pause after which an all-new picture is coded as a keyframe if a change of rate waits for one: it then costs
    /// hardly more than a predicted picture.
    private static let restingTime = Duration.milliseconds(500)

    let id: EncodingID

    // MARK: The format

    /// The agreed format, which is the ceiling of the coded one.
    var agreed: VideoFormat
    /// The bitrate that the path carries, at most the agreed one.
    private(set) var rate: Bitrate
    /// The format that the encoder codes.
    private(set) var coded: VideoFormat
    /// The wanted format that every encoder has refused, so that it is not tried again; `nil`: none.
    private var refused: VideoFormat?
    /// The encoder that has to be made, with the cause; `nil` if none has to be.
    private(set) var need: (cause: Cause, format: VideoFormat, isFallback: Bool)?
    private(set) var traits: EncoderTraits
    /// True once the chosen encoder has failed, and the fallback, a software encoder, has taken its place.
    private(set) var isFallenBack: Bool
    /// The number of consecutive failures of the encoder, without a frame in between.
    var failures = 0
    /// The size and chroma format of the picture buffer that captures are written into; `nil` if the buffer has to be
    /// made.
    private var picture: (size: PixelSize, chroma: ChromaSampling)?
    /// False from a change of the screen's size until encoder and picture have the new size: meanwhile the encode can't
    /// keep its old format.
    private var mayKeep = true
    /// A sentence about the last step to another format, reported once that format is coded.
    private(set) var announcement: String?

    /// True if not only the bitrate but also size and frame rate adapt to the path (requirement row 6).
    var followsPath: Bool
    var ladder: AdaptationLadder
    var watch = ContentWatch()
    var planner = RefinementPlanner()
    private var pacer: CapturePacer

    // MARK: Pending work

    var wishes = PictureWishes()
    /// True if the next picture has another size because the screen is at rest.
    private var rests = false
    /// True if the picture is to be encoded once more, changed or not.
    var repeats = false
    /// True if a captured picture has to wait until the keyframe coded aside was taken; it is then captured anew.
    private var waitsForKeyframe = false
    /// True if the picture has changed since the keyframe just taken was begun: the next picture is captured at once.
    private(set) var follows = false
    /// True if the whole screen has to be captured: for the first picture, after a change of size or monitor, and after
    /// a time in which nobody watched.
    private(set) var isWhole = true
    /// True if a capture of the whole screen returned nothing: the next one waits until the screen reports a change.
    private(set) var isBlank = false
    /// The time of the oldest change that is not captured yet.
    private(set) var changedAt: Instant?
    /// The damage since this encode's last picture, in pixels of the screen; `nil` for the main encode, whose damage
    /// the screen tracks.
    private var part: Region?
    var frameIndex: UInt64
    private var lastCoded: Instant?
    /// True if the last encoded picture differed from the one before it.
    private var lastHasChanged = false
    /// The longest time between two pictures; `nil`: no limit while nothing changes.
    private let longestPause: Duration?
    /// The time that the second encode's last task has taken; zero in the main encode.
    var cost = Duration.zero

    /// Makes the main encode, whose encoder and picture exist already.
    init(main format: VideoFormat, _ traits: EncoderTraits, followsPath: Bool, longestPause: Duration?) {
        self.init(
            .main, format, traits, isFallenBack: false, followsPath: followsPath, longestPause: longestPause,
            frameIndex: EncodingID.main.firstFrameIndex, part: nil)
        picture = (format.size, format.chroma)
    }

    /// Makes the second encode of a screen; its encoder has yet to be made.
    ///
    /// - Parameters:
    ///   - agreed: the ceilings of size and frame rate, and the bitrate.
    ///   - watch: a copy of the main encode's content detection.
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

    // MARK: Tasks

    var needsKeyframe: Bool { wishes.keyframe != nil }

    /// True while a keyframe or repair picture is requested, unless `isBlank`.
    var isAwaited: Bool { !isBlank && !wishes.isEmpty }

    /// True if a change has not been captured yet.
    var hasChanged: Bool { part.map { !$0.isEmpty } ?? (changedAt != nil) }

    /// True while nothing may be captured until the keyframe coded aside was taken; the encoder calls `waker` once it
    /// is complete.
    private func isHeldUp(_ state: EncoderState) -> Bool {
        waitsForKeyframe && state.keyframeAside != .absent && !isWhole
    }

    /// Returns the task to do now; `nil` if none is due before `due(_:now:)`.
    func task(_ state: EncoderState, now: Instant) -> Task? {
        if !isWhole {
            if state.keyframeAside == .complete { return .takeKeyframe }
            if follows { return .capture }
            if isHeldUp(state) { return nil }
        }
        if hasChanged || isAwaited { return earliestCapture(state, now: now) <= now ? .capture : nil }
        if followsPath, let due = ladder.restDeadline?.at, due <= now { return .rest }
        // A keyframe coded aside restarts refinement, so no step is taken before it.
        if state.keyframeAside == .absent, state.debt == .zero, let step = planner.due(now: now) {
            return .refine(step)
        }
        if !isWhole, repeats || pauseEnd.map({ $0 <= now }) ?? false { return .again }
        return nil
    }

    /// The time of the next task, which may be past; `nil` if there is none.
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

    /// The earliest time to capture the next picture. A picture that would have to wait for room on the path is
    /// captured only once there is room, so that its content is recent.
    private func earliestCapture(_ state: EncoderState, now: Instant) -> Instant {
        let earliest = pacer.earliestCapture(now: changedAt ?? now)
        let debt = state.debt - coded.frameInterval
        return debt > .zero ? max(earliest, now + debt) : earliest
    }

    /// Returns whether a picture of the second encode that takes `cost` would not delay this encode's next capture.
    func leavesRoom(for cost: Duration, now: Instant) -> Bool {
        !hasChanged && !isAwaited || pacer.earliestCapture(now: now) - now >= cost
    }

    /// When the next picture is due even where nothing changes: one frame interval after a changed picture, as players
    /// show a picture only when the next one arrives, and then after each `longestPause`; `nil` without a longest
    /// pause.
    private var pauseEnd: Instant? {
        guard let longestPause, let lastCoded else { return nil }
        return lastCoded + (lastHasChanged ? min(coded.frameInterval, longestPause) : longestPause)
    }

    // MARK: Input from the screen and viewers

    /// Adds viewers' picture requests to the second encode; the next picture's waiting time counts from `now`, unless a
    /// change already waits.
    mutating func want(_ new: PictureWishes, now: Instant) {
        wishes.merge(new)
        changedAt = changedAt ?? now
    }

    /// Allows another capture after a blank one, as the screen has reported a change.
    mutating func unblank() { isBlank = false }

    mutating func changed(at now: Instant) {
        changedAt = changedAt ?? now
        isBlank = false
    }

    /// Adds the damage of a picture of the main encode, in pixels of `size`, to the second encode's `part`.
    mutating func note(_ damage: Region, of size: PixelSize, screen: PixelSize, now: Instant) {
        for rect in damage.rects { part?.add(rect.scaled(from: size, to: screen)) }
        changedAt = changedAt ?? now
    }

    /// Makes the next capture cover the whole screen.
    mutating func becomeWhole(_ screen: PixelSize) {
        if part == nil { isWhole = true } else { part = Region(PixelRect(screen)) }
        isBlank = false
    }

    /// Adopts the agreed size after a change of the screen's size: drops the picture buffer, and requests a keyframe.
    mutating func lose(picture size: PixelSize) {
        agreed.size = size
        ladder.agree(size: size)
        (picture, refused, mayKeep) = (nil, nil, false)
        wishes.ask(KeyframeWish("the screen has another size"))
    }

    // MARK: Capture

    /// Begins a capture. Returns its extent, `nil` if nothing has to be captured, and when its oldest change happened.
    mutating func beginCapture(now: Instant) -> (extent: CaptureExtent?, damaged: Instant) {
        let damaged = changedAt ?? now
        changedAt = nil
        guard let part else { return (isWhole ? .everything : .changes, damaged) }
        self.part = Region()
        return (part.isEmpty ? nil : .part(part), damaged)
    }

    /// Processes the result of a capture, and returns the picture to encode, if any.
    mutating func take(_ captured: Captured?, of extent: CaptureExtent?, now: Instant) -> Captured? {
        let nothing = Captured(damage: Region(), captured: now, converted: now)
        guard let captured else {
            if case .part(let part) = extent {
                // Nothing can be captured, as the layout is about to change: the part stays due.
                self.part = part
                return nil
            }
            // Nothing has changed after all, or the screen has no picture yet.
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

    /// Returns whether at least three quarters of the picture have changed after a pause of `restingTime`.
    private func isAllNew(_ captured: Captured) -> Bool {
        captured.damage.area * 4 >= coded.size.area * 3
            && lastCoded.map { captured.captured - $0 >= Self.restingTime } ?? true
    }

    /// Returns whether at most 2 % of the picture have changed, so that the refinement of all else may continue.
    func isSmall(_ captured: Captured) -> Bool { captured.damage.area * 50 <= coded.size.area }

    // MARK: Coding

    /// Turns a request for a repair picture into one for a keyframe where the encoder has no repair pictures.
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

    /// Processes the encoder's result; returns false if it output no picture.
    mutating func take(_ picture: CodedPicture, _ captured: Captured, refinement: Int, _ state: EncoderState) -> Bool {
        failures = 0
        if picture.bytes == 0, refinement > 0 || state.keyframeAside != .absent {
            // There was nothing to refine, or the change comes with the keyframe coded aside or after it.
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

    /// Notes that a keyframe coded aside was sent, which answers all requests so far.
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

    // MARK: Changes of format

    /// The wanted format: the agreed one, reduced to the size, frame rate and bitrate that the path carries.
    private var target: VideoFormat {
        var format = agreed
        format.size = ladder.rung.size
        format.framesPerSecond = ladder.rung.framesPerSecond
        format.bitrate = rate
        return format
    }

    /// The wanted format; `nil` if it is coded already, or was refused.
    private var wanted: VideoFormat? { target == coded || target == refused ? nil : target }

    private func isRatesAlone(_ wanted: VideoFormat) -> Bool {
        var same = wanted
        (same.bitrate, same.framesPerSecond) = (coded.bitrate, coded.framesPerSecond)
        return same == coded
    }

    /// Returns the next step towards the wanted format; `nil` if that format is coded, or has to wait. A change of
    /// rates alone never costs a keyframe: where the encoder can't change them without one, the change waits for the
    /// next keyframe.
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

    /// Notes that the encoder codes the wanted format from now on.
    mutating func reconfigured() {
        coded = target
        refused = nil
    }

    mutating func madePicture(_ screen: PixelSize) {
        picture = (coded.size, coded.chroma)
        wishes.ask(KeyframeWish("another size"))
        becomeWhole(screen)
    }

    /// Requests another encoder, as the present one has failed or has refused the wanted format.
    mutating func replaceEncoder(_ cause: Cause) {
        if traits.isHardware {
            need = (cause, wanted ?? coded, isFallback: true)
        } else if case .refusal = cause {
            need = (cause, target, isFallenBack)
        } else {
            need = (cause, coded, isFallenBack)
        }
    }

    /// Adopts the encoder that was needed.
    ///
    /// - Returns: the name of the encoder before, where the fallback replaces it.
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

    /// Requests the fallback encoder, as the first choice can't be made. Returns false if the fallback was the one
    /// tried.
    mutating func tryFallback() -> Bool {
        guard let need, !need.isFallback else { return false }
        self.need = (need.cause, need.format, true)
        return true
    }

    /// Gives up the wanted format, as every encoder has refused it. Returns false if the old format can't be kept
    /// either.
    mutating func keepFormat() -> Bool {
        let wanted = need?.format ?? target
        need = nil
        announcement = nil
        guard mayKeep else { return false }
        if followsPath, !ladder.isTop {
            // An encoder that refuses this size would refuse the next one, too, so from now on only the agreed format
            // is used.
            followsPath = false
            ladder.begin()
        }
        refused = wanted
        return true
    }

    /// Keeps the present codec and chroma format, as no encoder for the agreed ones can be made.
    mutating func keepCodec() {
        need = nil
        (agreed.codec, agreed.chroma) = (coded.codec, coded.chroma)
    }

    // MARK: Adaptation to the path

    /// Adopts the bitrate that the path carries, within the agreed one.
    mutating func setRate(_ bitrate: Bitrate, now: Instant) {
        rate = min(bitrate, agreed.bitrate)
        ladder.setRate(rate, now: now)
    }

    /// Takes the ladder's step, if one is due.
    mutating func adapt(now: Instant) {
        guard followsPath, let step = ladder.poll(now: now) else { return }
        announcement = step.sentence
    }

    /// Takes the ladder's step to the agreed size, if it is due, as the screen is at rest.
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
    /// Scales the rectangle from a picture of `size` to one of `other`, and widens it by a pixel at each side, as
    /// scaling mixes neighbouring pixels.
    fileprivate func scaled(from size: PixelSize, to other: PixelSize) -> PixelRect {
        if size == other { return self }
        let (left, top) = (x * other.width / size.width - 1, y * other.height / size.height - 1)
        let right = (maxX * other.width + size.width - 1) / size.width + 1
        let bottom = (maxY * other.height + size.height - 1) / size.height + 1
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top).intersection(PixelRect(other))
    }
}
