internal import HelioCore
internal import HelioMedia

/// An encoding (a stream of coded pictures) of a screen: its viewers' pending picture requests, its format, and its
/// next task.
///
/// The damage of the main encoding is tracked by the screen. The second encoding tracks the damage since its own last
/// picture, and captures only that part.
struct Encode: Sendable {
    /// The next step of the picture engine for an encoding.
    enum Task: Sendable, Hashable {
        /// Fetch the complete keyframe that was encoded in parallel (`KeyframeAside`).
        case takeKeyframe
        case capture
        /// Switch to the agreed size, as the screen is at rest.
        case rest
        /// Encode the static picture again in better quality; the value is the number of the refinement step, from 1.
        case refine(Int)
        /// Encode the unchanged picture once more.
        case again
    }

    /// The reason why an encoder has to be made.
    enum Cause: Sendable {
        /// The encoding has no encoder yet.
        case start
        /// Another codec or chroma format was agreed on.
        case agreement
        /// The present encoder has refused the wanted format.
        case refusal(HelioError)
        case failure(HelioError)
    }

    /// The pause after which an all-new picture is coded as a keyframe if a change of rate waits for a keyframe: in
    /// that case a keyframe needs few more bits than a predicted picture.
    private static let restingTime = Duration.milliseconds(500)

    let id: EncodingID

    // MARK: The format

    /// The agreed format: size, frame rate and bitrate of the coded format never exceed it.
    var agreed: VideoFormat
    /// The path's bitrate, limited to the agreed bitrate.
    private(set) var rate: Bitrate
    /// The format that the encoder codes.
    private(set) var coded: VideoFormat
    /// The wanted format that every encoder has refused, so that it is not tried again; `nil` if none was refused.
    private var refused: VideoFormat?
    /// The encoder that has to be made next, with the cause; `nil` while the present encoder suffices.
    private(set) var need: (cause: Cause, format: VideoFormat, isFallback: Bool)?
    private(set) var traits: EncoderTraits
    /// True once the chosen encoder has failed, and the fallback, a software encoder, has taken its place.
    private(set) var isFallenBack: Bool
    /// The number of consecutive failures of the encoder, without a frame in between.
    var failures = 0
    /// The size and chroma format of the picture buffer that captures are written into; `nil` if the buffer has to be
    /// made.
    private var picture: (size: PixelSize, chroma: ChromaSampling)?
    /// True if the encoding can keep its old format when a new one is refused; false from a change of the screen's size
    /// until encoder and picture buffer have the new size.
    private var mayKeep = true
    /// A human-readable sentence about the last step of the ladder, reported once the new format is coded.
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
    /// True if a change waits for the keyframe encoded in parallel: the screen is captured again after that keyframe
    /// was fetched.
    private var waitsForKeyframe = false
    /// True if the screen has changed since the encoder began the keyframe just fetched: the next picture is captured
    /// at once.
    private(set) var follows = false
    /// True if the whole screen has to be captured: for the first picture, after a change of size or monitor, and after
    /// a time without viewers.
    private(set) var isWhole = true
    /// True if a capture of the whole screen returned nothing: the next capture waits until the screen reports a
    /// change.
    private(set) var isBlank = false
    /// The time of the oldest change that is not captured yet.
    private(set) var changedAt: Instant?
    /// The damage since this encoding's last picture, in pixels of the screen; `nil` for the main encoding, whose
    /// damage the screen tracks.
    private var part: Region?
    var frameIndex: UInt64
    private var lastCoded: Instant?
    /// True if the last encoded picture differed from its predecessor, by a change of the screen or by refinement.
    private var lastHasChanged = false
    /// The longest time between two pictures while nothing changes; `nil` for no limit.
    private let longestPause: Duration?
    /// The time that the second encoding's last task took, as an estimate for the next; zero in the main encoding.
    var cost = Duration.zero

    /// Makes the main encoding, whose encoder and picture exist already.
    init(main format: VideoFormat, _ traits: EncoderTraits, followsPath: Bool, longestPause: Duration?) {
        self.init(
            .main, format, traits, isFallenBack: false, followsPath: followsPath, longestPause: longestPause,
            frameIndex: EncodingID.main.firstFrameIndex, part: nil)
        picture = (format.size, format.chroma)
    }

    /// Makes the second encoding of a screen; its encoder has yet to be made.
    ///
    /// - Parameters:
    ///   - agreed: the maximum size and frame rate, and the bitrate.
    ///   - watch: a copy of the main encoding's content detection.
    ///   - isFallenBack: true if the chosen encoder has failed already.
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

    /// True while captures wait for the keyframe encoded in parallel; the encoder calls `waker` once that keyframe is
    /// complete.
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
        // A keyframe encoded in parallel restarts refinement, so do not refine before the keyframe is fetched.
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

    /// The earliest time to capture the next picture: not before the bits coded in excess of the bitrate are paid off,
    /// up to one frame interval, so that the picture is recent when it is sent.
    private func earliestCapture(_ state: EncoderState, now: Instant) -> Instant {
        let earliest = pacer.earliestCapture(now: changedAt ?? now)
        let debt = state.debt - coded.frameInterval
        return debt > .zero ? max(earliest, now + debt) : earliest
    }

    /// Returns whether a picture of the second encoding that takes `cost` would not delay this encoding's next capture.
    func leavesRoom(for cost: Duration, now: Instant) -> Bool {
        !hasChanged && !isAwaited || pacer.earliestCapture(now: now) - now >= cost
    }

    /// The time at which the next picture is due even if nothing changes; `nil` without a longest pause. The picture is
    /// due one frame interval after a changed picture, as players show a picture only when its successor arrives; then
    /// `longestPause` after each picture.
    private var pauseEnd: Instant? {
        guard let longestPause, let lastCoded else { return nil }
        return lastCoded + (lastHasChanged ? min(coded.frameInterval, longestPause) : longestPause)
    }

    // MARK: Input from the screen and viewers

    /// Adds picture requests of the second encoding's viewers. The next picture's latency counts from `now`, unless an
    /// earlier change is not captured yet.
    mutating func want(_ new: PictureWishes, now: Instant) {
        wishes.merge(new)
        changedAt = changedAt ?? now
    }

    /// Ends the state `isBlank`, as the screen has reported a change.
    mutating func unblank() { isBlank = false }

    mutating func changed(at now: Instant) {
        changedAt = changedAt ?? now
        isBlank = false
    }

    /// Adds the damage of a picture of the main encoding, in pixels of `size`, to the second encoding's `part`.
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

    /// Begins a capture. Returns its extent, or `nil` if there is no damage to capture, and the time of the oldest
    /// change that it covers.
    mutating func beginCapture(now: Instant) -> (extent: CaptureExtent?, damaged: Instant) {
        let damaged = changedAt ?? now
        changedAt = nil
        guard let part else { return (isWhole ? .everything : .changes, damaged) }
        self.part = Region()
        return (part.isEmpty ? nil : .part(part), damaged)
    }

    /// Processes the result of a capture. Returns the capture to encode; `nil` if nothing is to be encoded.
    mutating func take(_ captured: Captured?, of extent: CaptureExtent?, now: Instant) -> Captured? {
        let nothing = Captured(damage: Region(), captured: now, converted: now)
        guard let captured else {
            if case .part(let part) = extent {
                // The layout is about to change, so nothing can be captured; keep the damage for the next capture.
                self.part = part
                return nil
            }
            // The screen has not changed after all, or has no picture yet.
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

    /// Returns whether at most 2 % of the picture have changed, so that refinement of the rest may continue.
    func isSmall(_ captured: Captured) -> Bool { captured.damage.area * 50 <= coded.size.area }

    // MARK: Coding

    /// Turns a request for a repair picture into a request for a keyframe if the encoder can't code repair pictures.
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
    mutating func take(
        _ picture: CodedPicture, _ captured: Captured, refinement: Int, _ state: EncoderState, now: Instant
    ) -> Bool {
        failures = 0
        if picture.bytes == 0, refinement > 0 || state.keyframeAside != .absent {
            // The encoder had nothing to refine, or it codes the change in or after the keyframe encoded in parallel.
            if refinement == 0, !captured.damage.isEmpty { waitsForKeyframe = true }
            return false
        }
        frameIndex += 1
        lastCoded = captured.captured
        lastHasChanged = !captured.damage.isEmpty || refinement > 0
        if followsPath || part != nil, !picture.isKeyframe, refinement == 0, !captured.damage.isEmpty {
            // The second encoding's pictures wait for the main encoding's: their times don't show the machine's speed.
            ladder.take(
                captured, of: coded.size, bits: picture.bytes * 8, quality: state.quality,
                work: part == nil ? now - captured.captured : nil, watch: &watch)
        }
        if picture.isBroken { wishes.ask(KeyframeWish("a slice was lost")) }
        return true
    }

    /// Updates the state after a keyframe encoded in parallel was sent. That keyframe fulfils all pending picture
    /// requests.
    ///
    /// - Parameters:
    ///   - isBehind: true if the screen has changed since the encoder began the keyframe.
    ///   - isBroken: true if a slice of the keyframe was lost.
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

    /// The wanted format: the agreed format with the ladder's size and frame rate, and the path's bitrate.
    private var target: VideoFormat {
        var format = agreed
        format.size = ladder.rung.size
        format.framesPerSecond = ladder.rung.framesPerSecond
        format.bitrate = rate
        return format
    }

    /// The wanted format; `nil` if the encoder codes it already, or every encoder has refused it.
    private var wanted: VideoFormat? { target == coded || target == refused ? nil : target }

    private func isRatesAlone(_ wanted: VideoFormat) -> Bool {
        var same = wanted
        (same.bitrate, same.framesPerSecond) = (coded.bitrate, coded.framesPerSecond)
        return same == coded
    }

    /// Returns the next step towards the wanted format; `nil` if the encoder codes it already, or the change has to
    /// wait. A change of bitrate or frame rate alone never costs a keyframe: an encoder that can't change them without
    /// a keyframe changes them at the next keyframe.
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

    /// Updates the state once the encoder codes the wanted format.
    mutating func reconfigured() {
        coded = target
        refused = nil
    }

    mutating func madePicture(_ screen: PixelSize) {
        picture = (coded.size, coded.chroma)
        wishes.ask(KeyframeWish("another size"))
        becomeWhole(screen)
    }

    /// Requests another encoder, as the present encoder has failed or has refused the wanted format. A software encoder
    /// replaces a hardware encoder.
    mutating func replaceEncoder(_ cause: Cause) {
        if traits.isHardware {
            need = (cause, wanted ?? coded, isFallback: true)
        } else if case .refusal = cause {
            need = (cause, target, isFallenBack)
        } else {
            need = (cause, coded, isFallenBack)
        }
    }

    /// Adopts the encoder that `need` requested.
    ///
    /// - Returns: the name of the former encoder if the fallback replaces it; otherwise `nil`.
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

    /// Requests the fallback encoder, as the chosen encoder can't be made. Returns false if it was the fallback that
    /// can't be made.
    mutating func tryFallback() -> Bool {
        guard let need, !need.isFallback else { return false }
        self.need = (need.cause, need.format, true)
        return true
    }

    /// Returns to the present format, as every encoder has refused the wanted format. Returns false if the present
    /// format can't be kept either.
    mutating func keepFormat() -> Bool {
        let wanted = need?.format ?? target
        need = nil
        announcement = nil
        guard mayKeep else { return false }
        if followsPath, !ladder.isTop {
            // An encoder that refuses the size of this rung would refuse other sizes, too, so use only the agreed
            // format from now on.
            followsPath = false
            ladder.begin()
        }
        refused = wanted
        return true
    }

    /// Keeps the present codec and chroma format, as no encoder can be made for the agreed ones.
    mutating func keepCodec() {
        need = nil
        (agreed.codec, agreed.chroma) = (coded.codec, coded.chroma)
    }

    // MARK: Adaptation to the path

    /// Adopts the path's bitrate, limited to the agreed bitrate.
    mutating func setRate(_ bitrate: Bitrate, now: Instant) {
        rate = min(bitrate, agreed.bitrate)
        ladder.setRate(rate, now: now)
    }

    /// Adopts the ladder's next step, if one is due.
    mutating func adapt(now: Instant) {
        guard followsPath, let step = ladder.poll(now: now) else { return }
        announcement = step.sentence
    }

    /// Adopts the ladder's step to the agreed size for a screen at rest, if it is due.
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
