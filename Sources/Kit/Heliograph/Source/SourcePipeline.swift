internal import HelioCore
internal import HelioMedia
internal import HelioSession

/// The source's media thread: waits for a change, captures, encodes, and hands slices over while the rest is
/// still being coded.
///
/// Work is done only where the screen changed and only while somebody watches. Everything here happens on one
/// thread; other threads reach it by `SourceControls` alone.
final class SourcePipeline<Capture: ScreenCapturing, Encoder: VideoEncoding>
where Encoder.Picture == Capture.Picture {
    /// The pipeline's callbacks to the rest of the source; all called on the media thread.
    struct Surroundings {
        var now: () -> Instant
        /// Takes a slice; false when it could not.
        var submit: (EncodedSlice) -> Bool
        /// The stream has this format from the next frame on.
        var formatChanged: (VideoFormat) -> Void
        /// The screen has this size, on that monitor, from now on; the capture is a pixel more where a side is odd.
        var screenChanged: (PixelSize, ScreenMonitor) -> Void
        /// The wanted picture has this size, before any viewer's limit.
        var wantedSizeChanged: (PixelSize) -> Void
        /// The list of monitors has changed, or another is captured.
        var layoutChanged: (MonitorLayout) -> Void
        /// Polls the pointer's shape and position.
        var pollCursor: () throws(HelioError) -> Void
        /// Another encoder codes the pictures from now on: of this codec, by hardware or not.
        var encoderChanged: (VideoCodec, _ isHardware: Bool) -> Void = { _, _ in }
        /// Counts a failure of an encoder, for statistics.
        var count: (EncoderTrouble) -> Void = { _ in }
        /// Size or frame rate are below the agreed ones from now on, for this cause; `nil`: they are not any more.
        var shortageChanged: (_ cause: String?) -> Void = { _ in }
        /// The second encode has this format from its next frame on.
        var secondChanged: (VideoFormat) -> Void = { _ in }
        /// There is no encoder for a second encode, or it has failed.
        var secondFailed: () -> Void = {}
        /// Gives a note for the person; the session goes on.
        var note: (String) -> Void
    }

    /// The interval at which the pointer is polled while somebody watches.
    private let cursorInterval = Duration.milliseconds(33)
    /// The failures of an encoder, without a frame in between, after which it is given up.
    private let encoderFailuresTolerated = 3
    /// The time without a picture after which an all-new one may be a keyframe: it costs hardly more than another.
    private let restingTime = Duration.milliseconds(500)

    private let capture: Capture
    private let makeEncoder: (VideoFormat, _ isFallback: Bool) throws(HelioError) -> Encoder
    private let controls: SourceControls
    private let surroundings: Surroundings
    /// True where size and frame rate follow the path, too.
    private var followsPath: Bool
    /// True where the screen is kept from going dark while somebody watches.
    private let keepsAwake: Bool

    /// The agreed bitrate: the ceiling for the rates that the viewers' paths suggest.
    private var configuredBitrate: Bitrate
    /// The agreed frame rate.
    private var configuredRate: Int
    /// The picture's size for a screen's.
    private let fit: (PixelSize) -> PixelSize
    /// The longest time between two pictures while somebody watches; `nil`: as long as nothing changes.
    private let longestPause: Duration?
    /// The largest picture that the viewers take; `nil` = any.
    private var agreedLargest: PixelSize?
    private var layout: MonitorLayout
    /// The size that is captured of the selected monitor, and the part of it that the screen has.
    private var screen: PixelSize
    private var shown: PixelSize
    /// True while all outputs of the display are switched off.
    private var isOff = false
    /// The format that is coded.
    private var format: VideoFormat
    /// The format to code from the next keyframe on: other rates, for an encoder that takes them no other way.
    private var waiting: VideoFormat?
    private var encoder: Encoder
    /// True once the chosen encoder has failed: reliable software codes the rest.
    private var isFallenBack = false
    private var picture: Capture.Picture
    private var pacer: CapturePacer
    private var planner: RefinementPlanner
    private var ladder: AdaptationLadder
    private var watch = ContentWatch()
    private var toldShortage: String?

    /// The encode for viewers whose paths carry far less; `nil` where none is wanted.
    private var second: SecondEncode<Capture, Encoder>?
    /// What the viewers of the second encode want to keep.
    private var secondPreference: ContentKind?
    /// The index of the next frame of a second encode, as they go on through all of them.
    private var nextSecondIndex = EncodingID.second.firstFrameIndex

    private var isWatched = false
    private var needsKeyframe = true
    /// True where the next picture is of another size because nothing moves.
    private var rests = false
    /// The index of the last frame that everybody has who has lost a later one; `nil` where nobody has.
    private var repairSince: UInt64?
    /// True where somebody wants the picture once more, changed or not.
    private var needsPicture = false
    /// True where a captured picture waits for the keyframe that is coded aside: it is captured anew then.
    private var waitsForKeyframe = false
    /// True where the picture does not hold the screen's content: first frame, new size, after nobody watched.
    private var needsWholeScreen = true
    /// True where the screen has had nothing to capture: it is asked again once it tells of something.
    private var isBlank = false
    /// The time of the oldest change that is not captured yet.
    private var changedAt: Instant?
    private var frameIndex: UInt64 = 0
    private var nextCursor: Instant
    private var encoderFailures = 0
    private var lastCoded: Instant?
    /// True where the last picture was another than that before it.
    private var lastHasChanged = false

    /// - Parameters:
    ///   - format: its size does not count: it is the screen's, fitted.
    ///   - fit: gives the size that this end wants for a screen's size; the screen's own as a rule.
    ///   - longestPause: after this time the picture is coded once more, though nothing has changed; sooner where it had.
    ///   - followsPath: whether size and frame rate follow what the path carries (row 6), as the bitrate always does.
    ///   - keepsAwake: whether the screen is kept from going dark by itself while somebody watches.
    ///   - makeEncoder: makes the chosen encoder or, as fallback, the one that is likeliest to work where that has
    ///   failed.
    init(
        capture: Capture, format: VideoFormat, fit: @escaping (PixelSize) -> PixelSize = { $0 },
        longestPause: Duration? = nil, followsPath: Bool = false, keepsAwake: Bool = false,
        controls: SourceControls, surroundings: Surroundings,
        makeEncoder: @escaping (VideoFormat, _ isFallback: Bool) throws(HelioError) -> Encoder
    ) throws(HelioError) {
        self.capture = capture
        self.controls = controls
        self.surroundings = surroundings
        let wake = capture.waker
        let makeEncoder = { (format: VideoFormat, isFallback: Bool) throws(HelioError) -> Encoder in
            let encoder = try makeEncoder(format, isFallback)
            encoder.codeKeyframesAside(wake: wake)
            return encoder
        }
        self.makeEncoder = makeEncoder
        self.fit = fit
        self.longestPause = longestPause
        self.followsPath = followsPath
        self.keepsAwake = keepsAwake
        layout = capture.layout
        screen = capture.size
        shown = capture.shownSize
        var format = format
        format.size = fit(capture.size).fitted(within: .largestCoded)
        self.format = format
        configuredBitrate = format.bitrate
        configuredRate = format.framesPerSecond
        encoder = try makeEncoder(format, false)
        picture = try capture.makePicture(size: format.size, chroma: format.chroma, color: format.color)
        pacer = CapturePacer(framesPerSecond: format.framesPerSecond)
        planner = RefinementPlanner()
        ladder = AdaptationLadder(
            size: format.size, framesPerSecond: format.framesPerSecond, rate: format.bitrate)
        nextCursor = surroundings.now()
    }

    /// The encoder's name, for people.
    var encoderSummary: String { encoder.summary }

    /// Runs until it is told to stop; throws the error that ended it.
    func run() throws(HelioError) {
        while true {
            let orders = controls.take()
            if orders.stop { return }
            try obey(orders)
            let now = surroundings.now()
            if isWatched, try work(now) { continue }
            if isWatched, codeSecond(now) { continue }
            switch try capture.waitForChange(until: isWatched ? wakeUp(now) : nil) {
            case .changed(let at):
                changedAt = changedAt ?? at
                isBlank = false
            case .layoutChanged:
                isBlank = false
                try followLayout()
            case .timeout, .woken: break
            }
        }
    }

    private func obey(_ orders: SourceControls.Orders) throws(HelioError) {
        if let watched = orders.isWatched, watched != isWatched {
            isWatched = watched
            needsWholeScreen = true
            isBlank = false
            if keepsAwake { capture.keepAwake(watched) }
            if watched {
                ladder.begin()
                watch = ContentWatch()
            }
        }
        if orders.pictures[.main]?.keyframe != nil { needsKeyframe = true }
        if let repair = orders.pictures[.main]?.repair { repairSince = min(repairSince ?? .max, repair.since) }
        if let agreement = orders.agreement { try adopt(agreement) }
        if let monitor = orders.monitor { select(monitor) }
        if orders.repeatPicture { needsPicture = true }
        if let wished = orders.bitrate {
            var changed = waiting ?? format
            changed.bitrate = min(wished, configuredBitrate)
            _ = try reconfigure(changed, mayKeep: true)
        }
        if let bitrate = orders.second { setSecond(bitrate) }
        if let pictures = orders.pictures[.second] { second?.want(pictures) }
        if let preference = orders.preferences[.main] { ladder.preferred = preference }
        if let preference = orders.preferences[.second] {
            secondPreference = preference
            second?.prefer(preference)
        }
        if orders.isWatched != nil || orders.agreement != nil || orders.bitrate != nil {
            let now = surroundings.now()
            ladder.setRate((waiting ?? format).bitrate, now: now)
            try adapt(now)
        }
    }

    /// Does the first task that is due; false when none is.
    private func work(_ now: Instant) throws(HelioError) -> Bool {
        if !needsWholeScreen {
            if try takeKeyframe(now) { return true }
            if isHeldUp { return try lookAtCursor(now) }
        }
        if changedAt != nil || isAwaited {
            guard earliestCapture(now) <= now else { return try lookAtCursor(now) }
            return try captureAndEncode(now)
        }
        if followsPath, let step = ladder.pollRest(now: now) {
            rests = true
            try take(step)
            tellShortage()
            return true
        }
        if refines, encoder.debt(now: now) == .zero, let step = planner.due(now: now) {
            let nothing = Captured(damage: Region(), captured: now, converted: now)
            let bytes = try encode(nothing, damaged: now, refinement: step)
            planner.refined(step: step, at: surroundings.now(), bytes: bytes)
            if encoder.isSharp { planner.finish() }
            // Where another step is due at once, what changed meanwhile comes before it.
            return bytes > 0
        }
        if needsPicture || pauseEnd.map({ $0 <= now }) ?? false, !needsWholeScreen {
            try encode(Captured(damage: Region(), captured: now, converted: now), damaged: now, refinement: 0)
            return true
        }
        return try lookAtCursor(now)
    }

    /// True where somebody can't go on without a picture of another kind, changed or not.
    private var isAwaited: Bool { !isBlank && (needsKeyframe || repairSince != nil) }

    /// True where nothing is captured before the keyframe that is coded aside was taken; `waker` tells of that.
    private var isHeldUp: Bool { waitsForKeyframe && encoder.keyframeAside != .absent && !needsWholeScreen }

    /// False while a keyframe is coded aside, as that begins the refinement anew.
    private var refines: Bool { encoder.keyframeAside == .absent }

    /// When the next picture is due, even where nothing changes: a frame's time after one that has changed, as players
    /// show that when the next is there, and then after each pause.
    private var pauseEnd: Instant? {
        guard let longestPause, let lastCoded else { return nil }
        return lastCoded + (lastHasChanged ? min(format.frameInterval, longestPause) : longestPause)
    }

    private func lookAtCursor(_ now: Instant) throws(HelioError) -> Bool {
        guard now >= nextCursor else { return false }
        nextCursor = now + cursorInterval
        try surroundings.pollCursor()
        return true
    }

    /// The time at which the next picture may be captured: one that waits for its turn on the path is captured when that
    /// comes, not before.
    private func earliestCapture(_ now: Instant) -> Instant {
        return max(pacer.earliestCapture(now: now), now + max(.zero, encoder.debt(now: now) - format.frameInterval))
    }

    private func wakeUp(_ now: Instant) -> Instant {
        var at = nextCursor
        if isHeldUp { return at }
        if changedAt != nil || isAwaited { at = min(at, earliestCapture(now)) }
        if refines, let refinement = planner.deadline?.at {
            at = min(at, max(refinement, now + encoder.debt(now: now)))
        }
        if followsPath, let rest = ladder.restDeadline?.at { at = min(at, rest) }
        if let pauseEnd, !needsWholeScreen { at = min(at, pauseEnd) }
        // Else it is looked after when the main encode is.
        if changedAt == nil, !isAwaited, !needsWholeScreen, let due = second?.due(now) { at = min(at, due) }
        return at
    }

    /// Captures and codes a picture. False where nothing can be captured before `waitForChange` has told of another
    /// layout.
    private func captureAndEncode(_ now: Instant) throws(HelioError) -> Bool {
        let damaged = changedAt ?? now
        changedAt = nil
        guard let captured = try capture.capture(into: picture, everything: needsWholeScreen) else {
            // Nothing changed after all, or the layout is about to, or no picture has come yet; a keyframe, a repair or what
            // has waited can be coded of what is there.
            if needsWholeScreen {
                isBlank = true
                return false
            }
            if isAwaited || needsPicture {
                pacer.captured(at: now)
                let isRepair = !needsKeyframe
                try encode(Captured(damage: Region(), captured: now, converted: now), damaged: now, refinement: 0)
                // What it codes is as coarse as what has changed.
                if isRepair { planner.changed(at: now) }
            }
            return true
        }
        needsWholeScreen = false
        second?.note(captured.damage, of: format.size)
        pacer.captured(at: captured.captured)
        if waiting != nil, isAllNew(captured) { needsKeyframe = true }
        try encode(captured, damaged: min(damaged, captured.captured), refinement: 0)
        planner.steps = encoder.refinementSteps
        planner.changed(at: captured.captured, isSmall: isSmall(captured))
        try adapt(captured.captured)
        return true
    }

    /// Hands out a keyframe that was coded aside, and right behind it what has changed since; false where none is complete.
    private func takeKeyframe(_ now: Instant) throws(HelioError) -> Bool {
        var isBroken = false
        let isBehind: Bool
        do {
            let taken = try encoder.takeKeyframe(of: picture, frameIndex: frameIndex, now: now) { slice in
                if slice.isFirst { controls.keyframeBegins() }
                if !isBroken, !surroundings.submit(slice) { isBroken = true }
            }
            guard let taken else { return false }
            isBehind = taken
        } catch {
            try replaceEncoder(after: error)
            return true
        }
        encoderFailures = 0
        frameIndex += 1
        // Whoever asked up to now has got it.
        (needsKeyframe, repairSince, waitsForKeyframe) = (isBroken, nil, false)
        lastCoded = now
        planner.steps = encoder.refinementSteps
        planner.changed(at: now)
        guard isBehind else { return true }
        needsPicture = true
        _ = try captureAndEncode(surroundings.now())
        return true
    }

    /// True for a picture of which so little changed that the refinement of the rest may go on.
    private func isSmall(_ captured: Captured) -> Bool {
        captured.damage.area * 50 <= format.size.area
    }

    /// True for a picture that is all new after a rest: coding it without reference to any before it loses nothing.
    private func isAllNew(_ captured: Captured) -> Bool {
        let area = captured.damage.area
        return area * 4 >= format.size.area * 3 && lastCoded.map { captured.captured - $0 >= restingTime } ?? true
    }

    /// - Returns: the picture's size in bytes; 0 where there is none: nothing was to be refined, or it comes with a
    ///   keyframe or after it.
    @discardableResult
    private func encode(_ captured: Captured, damaged: Instant, refinement: Int) throws(HelioError) -> Int {
        if repairSince != nil, !encoder.repairs { needsKeyframe = true }
        if needsKeyframe, let waiting { _ = try reconfigure(waiting, mayKeep: true) }
        let timing = FrameTiming(damaged: damaged, captured: captured.captured, converted: captured.converted)
        let request = EncodeRequest(
            keyframe: needsKeyframe, refinement: refinement, repairSince: needsKeyframe ? nil : repairSince,
            frameIndex: frameIndex, rests: rests)
        needsKeyframe = false
        repairSince = nil
        needsPicture = false
        rests = false
        if encoder.keyframeAside == .absent { waitsForKeyframe = false }
        var (isBroken, isKeyframe, bytes) = (false, false, 0)
        do {
            try encoder.encode(picture, damage: captured.damage, request: request, timing: timing) { slice in
                var slice = slice
                slice.frameIndex = frameIndex
                bytes += slice.annexB.count
                if slice.isKeyframe { isKeyframe = true }
                // The first viewer begins to watch and asks for the keyframe that begins every stream, one after the
                // other.
                if slice.isFirst, slice.isKeyframe { controls.keyframeBegins() }
                if slice.isFirst, let since = slice.repairsSince { controls.repairBegins(since: since) }
                if !isBroken, !surroundings.submit(slice) { isBroken = true }
            }
            encoderFailures = 0
            if bytes == 0, refinement > 0 || encoder.keyframeAside != .absent {
                if refinement == 0, !captured.damage.isEmpty { waitsForKeyframe = true }
                return 0
            }
            lastCoded = captured.captured
            lastHasChanged = !captured.damage.isEmpty || refinement > 0
            if followsPath, !isKeyframe, refinement == 0, !captured.damage.isEmpty {
                ladder.take(captured, of: format.size, bits: bytes * 8, quality: encoder.quality, watch: &watch)
            }
        } catch {
            try replaceEncoder(after: error)
        }
        frameIndex += 1
        if isBroken { needsKeyframe = true }
        return bytes
    }

    /// Replaces an encoder that has failed: hardware by software, and software by a fresh encoder (row 7). Software
    /// that keeps failing ends the pipeline.
    private func replaceEncoder(after error: HelioError) throws(HelioError) {
        surroundings.count(.failed)
        needsKeyframe = true
        if encoder.isHardware {
            try fallBack(for: waiting ?? format, after: error)
            _ = try reconfigure(waiting ?? format, mayKeep: true)
            return
        }
        encoderFailures += 1
        if encoderFailures >= encoderFailuresTolerated { throw error }
        surroundings.note("The encoder failed (\(error.message)); it was started again.")
        encoder = try make(format)
    }

    /// Makes an encoder for another format: the chosen one or, where that has failed, the fallback.
    private func make(_ format: VideoFormat) throws(HelioError) -> Encoder { try makeEncoder(format, isFallenBack) }

    private func fallBack(for format: VideoFormat, after error: HelioError) throws(HelioError) {
        let name = encoder.summary
        encoder = try makeEncoder(format, true)
        isFallenBack = true
        encoderFailures = 0
        surroundings.note("\(name) failed (\(error.message)); \(encoder.summary) codes from now on.")
        surroundings.encoderChanged(format.codec, encoder.isHardware)
    }

    // MARK: What the path carries

    /// Codes in the size and the frame rate that the path carries (row 6).
    private func adapt(_ now: Instant) throws(HelioError) {
        guard followsPath, isWatched else { return }
        if let step = ladder.poll(now: now) { try take(step) }
        tellShortage()
    }

    private func take(_ step: LadderStep) throws(HelioError) {
        var changed = waiting ?? format
        changed.size = step.rung.size
        changed.framesPerSecond = step.rung.framesPerSecond
        let isOtherSize = changed.size != format.size
        guard try reconfigure(changed, mayKeep: true) else {
            // An encoder that refuses this size refuses the next one, too: nothing but the agreed format is asked of it.
            followsPath = false
            ladder.begin()
            return
        }
        pacer.setRate(framesPerSecond: step.rung.framesPerSecond)
        if isOtherSize { try replacePicture(changed) }
        surroundings.note(step.sentence)
    }

    private func tellShortage() {
        let cause = followsPath ? ladder.shortage : nil
        if cause == toldShortage { return }
        toldShortage = cause
        surroundings.shortageChanged(cause)
    }

    // MARK: The second encode

    private func setSecond(_ bitrate: Bitrate?) {
        guard let bitrate else { return endSecond() }
        if second == nil { return beginSecond(bitrate) }
        attempt { second throws(HelioError) in try second.set(bitrate, now: self.surroundings.now()) }
    }

    private func beginSecond(_ bitrate: Bitrate) {
        var agreed = format
        agreed.size = agreedSize
        agreed.framesPerSecond = max(1, configuredRate / 2)
        agreed.bitrate = bitrate
        guard capture.fillsFurtherPictures else {
            return loseSecond(HelioError(.unsupported, "this screen gives one picture alone."))
        }
        do throws(HelioError) {
            second = try SecondEncode(
                of: capture, agreed: agreed, watch: watch, followsPath: followsPath, firstIndex: nextSecondIndex,
                controls: controls, surroundings: surroundings, makeEncoder: makeSecondEncoder)
            second?.prefer(secondPreference)
        } catch {
            loseSecond(error)
        }
    }

    private func makeSecondEncoder(_ format: VideoFormat) throws(HelioError) -> Encoder {
        do throws(HelioError) {
            return try make(format)
        } catch {
            return try makeEncoder(format, true)
        }
    }

    private func endSecond() {
        if let second { nextSecondIndex = second.frameIndex }
        second = nil
    }

    /// Begins the second encode anew, as another format was agreed on or another screen is there.
    private func renewSecond() {
        guard let bitrate = second?.bitrate else { return }
        endSecond()
        beginSecond(bitrate)
    }

    private func loseSecond(_ error: HelioError) {
        endSecond()
        surroundings.count(.failed)
        surroundings.note("There is no second encode for slow viewers: \(error.message)")
        surroundings.secondFailed()
    }

    /// Does something with the second encode, which ends where that fails: the main one goes on.
    private func attempt(_ body: (SecondEncode<Capture, Encoder>) throws(HelioError) -> Void) {
        guard let second else { return }
        do throws(HelioError) { try body(second) } catch { loseSecond(error) }
    }

    /// Codes a picture of the second encode, where one is due and the main one has nothing to do.
    private func codeSecond(_ now: Instant) -> Bool {
        guard let second, !needsWholeScreen, let due = second.due(now), due <= now else { return false }
        if changedAt != nil || isAwaited {
            // The main one only waits for its turn; it must not find this one in its way.
            let isRoom = pacer.earliestCapture(now: now) - now >= second.cost
            guard isRoom || now - due >= SecondEncode<Capture, Encoder>.longestWait else { return false }
        }
        attempt { second throws(HelioError) in try second.code(now) }
        return true
    }

    // MARK: Formats

    /// The size that is agreed on: the screen's, within the limits of this end and of all viewers.
    private var agreedSize: PixelSize { wantedSize.fitted(within: agreedLargest) }
    private var wantedSize: PixelSize { fit(capture.size).fitted(within: .largestCoded) }

    /// Adopts the viewers' agreement on codec, size, rate or chroma; a codec that can't be coded stays as it is.
    private func adopt(_ agreement: StreamAgreement) throws(HelioError) {
        agreedLargest = agreement.largest
        var changed = agreement.format
        // The screen may have changed since they agreed.
        configuredRate = changed.framesPerSecond
        ladder.agree(size: agreedSize, framesPerSecond: changed.framesPerSecond)
        changed.size = ladder.rung.size
        changed.framesPerSecond = ladder.rung.framesPerSecond
        configuredBitrate = changed.bitrate
        changed.bitrate = min((waiting ?? format).bitrate, changed.bitrate)
        if changed == (waiting ?? format) { return }
        if changed.codec != format.codec || changed.chroma != format.chroma {
            do {
                encoder = try make(changed)
                needsKeyframe = true
                surroundings.encoderChanged(changed.codec, encoder.isHardware)
            } catch {
                surroundings.count(.refused)
                surroundings.note("\(error.message) The stream stays \(format.codec.encodingName).")
                changed.codec = format.codec
                changed.chroma = format.chroma
            }
        }
        if changed.framesPerSecond != (waiting ?? format).framesPerSecond {
            pacer.setRate(framesPerSecond: changed.framesPerSecond)
        }
        let isOtherPicture = changed.size != format.size || changed.chroma != format.chroma
        if try reconfigure(changed, mayKeep: true), isOtherPicture { try replacePicture(changed) }
        renewSecond()
    }

    private func select(_ monitor: ScreenMonitor.ID) {
        do {
            try capture.select(monitor)
        } catch {
            // Unplugged since somebody chose it.
            surroundings.note(error.message)
        }
    }

    /// Follows a new layout: positions are mapped to the new capture before anybody sees it.
    private func followLayout() throws(HelioError) {
        if capture.isOff != isOff {
            isOff = capture.isOff
            surroundings.note(
                isOff
                    ? "The display is switched off: viewers keep its last picture until it is on again."
                    : "The display is on again.")
        }
        if isOff { return }
        let before = (layout: layout, screen: screen)
        (layout, screen, shown) = (capture.layout, capture.size, capture.shownSize)
        surroundings.screenChanged(shown, layout.selected)
        surroundings.layoutChanged(layout)
        let isOther = layout.selected.id != before.layout.selected.id
        if isOther {
            needsKeyframe = true
            needsWholeScreen = true
            tellOther(than: before.layout.selected)
        }
        if screen == before.screen { return }
        surroundings.wantedSizeChanged(wantedSize)
        ladder.agree(size: agreedSize)
        var changed = format
        changed.size = ladder.rung.size
        changed.framesPerSecond = ladder.rung.framesPerSecond
        pacer.setRate(framesPerSecond: changed.framesPerSecond)
        try replacePicture(changed)
        _ = try reconfigure(changed, mayKeep: false)
        renewSecond()
        if !isOther { surroundings.note("The display is \(shown) now.") }
        if let note = wantedSize.note(scaledFrom: screen) { surroundings.note("\(note).") }
        tellShortage()
    }

    private func tellOther(than before: ScreenMonitor) {
        let isGone = !layout.monitors.contains { $0.id == before.id }
        surroundings.note(
            (isGone ? "The monitor \(before.name) is gone. " : "")
                + "The monitor \(layout.selected.name) is shared from now on, \(shown).")
    }

    private func replacePicture(_ format: VideoFormat) throws(HelioError) {
        picture = try capture.makePicture(size: format.size, chroma: format.chroma, color: format.color)
        needsKeyframe = true
        needsWholeScreen = true
        isBlank = false
    }

    /// Codes in another format from the next picture on. Other rates never cost a keyframe; where the encoder can't
    /// take them without one, they wait for the next.
    ///
    /// Where the running encoder can't be changed, a new one takes its place.
    ///
    /// - Parameter mayKeep: where no encoder takes it, the old encoder and format stay; else the pipeline ends.
    /// - Returns: whether the format is coded, or will be.
    private func reconfigure(_ changed: VideoFormat, mayKeep: Bool) throws(HelioError) -> Bool {
        waiting = nil
        if changed == format, changed == encoder.format { return true }
        var same = changed
        (same.bitrate, same.framesPerSecond) = (format.bitrate, format.framesPerSecond)
        if same == format, !needsKeyframe, !encoder.changesRatesInPlace {
            waiting = changed
            return true
        }
        do {
            try encoder.reconfigure(changed)
        } catch {
            guard try replaceEncoder(refusing: changed, after: error, mayKeep: mayKeep) else { return false }
        }
        format = changed
        surroundings.formatChanged(changed)
        return true
    }

    /// Replaces an encoder that refuses a format.
    ///
    /// - Returns: false where the old encoder and the old format stay.
    private func replaceEncoder(
        refusing changed: VideoFormat, after error: HelioError, mayKeep: Bool
    ) throws(HelioError) -> Bool {
        surroundings.count(.refused)
        do {
            if encoder.isHardware {
                try fallBack(for: changed, after: error)
            } else {
                encoder = try make(changed)
            }
            needsKeyframe = true
            return true
        } catch {
            guard mayKeep else { throw error }
            surroundings.note(
                "No encoder takes \(changed.size) at \(changed.bitrate) and \(changed.framesPerSecond) frames a second: "
                    + "they stay as they are. \(error.message)")
            return false
        }
    }
}
