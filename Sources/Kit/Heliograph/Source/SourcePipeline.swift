internal import HelioCore
internal import HelioMedia
internal import HelioSession

/// The source's media thread: waits for a change, captures, encodes, and submits slices while the rest of the picture
/// is still being coded.
///
/// Pictures are captured only when the screen has changed, and only while somebody watches. All code here runs on one
/// thread; other threads reach it through `SourceControls` alone.
final class SourcePipeline<Capture: ScreenCapturing, Encoder: VideoEncoding>
where Encoder.Picture == Capture.Picture {
    /// The pipeline's callbacks to the rest of the source; all called on the media thread.
    struct Surroundings {
        var now: () -> Instant
        /// Takes a slice; returns false if it could not.
        var submit: (EncodedSlice) -> Bool
        /// Called before the first frame of another format.
        var formatChanged: (VideoFormat) -> Void
        /// Called with the screen's size and its monitor; the captured picture is a pixel larger for an odd side.
        var screenChanged: (PixelSize, ScreenMonitor) -> Void
        /// Called with the wanted size of the picture, before any viewer's limit.
        var wantedSizeChanged: (PixelSize) -> Void
        /// Called when the list of monitors has changed, or another one is captured.
        var layoutChanged: (MonitorLayout) -> Void
        /// Polls the pointer's shape and position.
        var pollCursor: () throws(HelioError) -> Void
        /// Called when another encoder is used from now on, of this codec, in hardware or not.
        var encoderChanged: (VideoCodec, _ isHardware: Bool) -> Void = { _, _ in }
        /// Counts an encoder failure, for statistics.
        var count: (EncoderTrouble) -> Void = { _ in }
        /// Called with the cause when size or frame rate drop below the agreed ones; `nil` when they are back.
        var shortageChanged: (_ cause: String?) -> Void = { _ in }
        /// Called before the second encode's first frame of another format.
        var secondChanged: (VideoFormat) -> Void = { _ in }
        /// Called when there is no encoder for a second encode, or it has failed.
        var secondFailed: () -> Void = {}
        /// Shows a note to the person; the session goes on.
        var note: (String) -> Void
    }

    /// The interval at which the pointer is polled while somebody watches.
    private let cursorInterval = Duration.milliseconds(33)
    /// The number of failures in a row, without a frame in between, after which the encoder is given up.
    private let encoderFailuresTolerated = 3
    /// The time without a picture after which an all-new picture may be a keyframe, because that costs little more
    /// then.
    private let restingTime = Duration.milliseconds(500)

    private let capture: Capture
    private let makeEncoder: (VideoFormat, _ isFallback: Bool) throws(HelioError) -> Encoder
    private let controls: SourceControls
    private let surroundings: Surroundings
    /// True if size and frame rate follow the path too.
    private var followsPath: Bool
    /// True if the screen is kept from going dark while somebody watches.
    private let keepsAwake: Bool

    /// The agreed bitrate: the ceiling for the rates that the viewers' paths suggest.
    private var configuredBitrate: Bitrate
    /// The agreed frame rate.
    private var configuredRate: Int
    /// Maps the screen's size to the wanted size of the picture.
    private let fit: (PixelSize) -> PixelSize
    /// The longest time between two pictures while somebody watches; `nil` for no limit.
    private let longestPause: Duration?
    /// The largest picture that the viewers accept; `nil` for any.
    private var agreedLargest: PixelSize?
    private var layout: MonitorLayout
    /// The captured size of the selected monitor, and the part of it that the screen covers.
    private var screen: PixelSize
    private var shown: PixelSize
    /// True while all outputs of the display are switched off.
    private var isOff = false
    /// The current format.
    private var format: VideoFormat
    /// The format from the next keyframe on: other rates, for an encoder that can't change them otherwise.
    private var waiting: VideoFormat?
    private var encoder: Encoder
    /// True once the chosen encoder has failed and software has replaced it.
    private var isFallenBack = false
    private var picture: Capture.Picture
    private var pacer: CapturePacer
    private var planner: RefinementPlanner
    private var ladder: AdaptationLadder
    private var watch = ContentWatch()
    private var toldShortage: String?

    /// The encode for viewers whose paths carry far less; `nil` if none is wanted.
    private var second: SecondEncode<Capture, Encoder>?
    /// What the viewers of the second encode prefer to keep.
    private var secondPreference: ContentKind?
    /// The next frame index for a second encode; indices continue from one second encode to the next.
    private var nextSecondIndex = EncodingID.second.firstFrameIndex

    private var isWatched = false
    private var needsKeyframe = true
    /// True if the next picture only changes size, because the screen is still.
    private var rests = false
    /// The index of the last frame that all viewers with losses have; `nil` if no repair is requested.
    private var repairSince: UInt64?
    /// True if the picture was requested once more, changed or not.
    private var needsPicture = false
    /// True while a changed picture waits for the keyframe that is coded in the background; it is captured again then.
    private var waitsForKeyframe = false
    /// True if the picture does not show the screen's content: at the first frame, after a new size, or after a time
    /// without viewers.
    private var needsWholeScreen = true
    /// True if there was nothing to capture; the capture is tried again after its next event.
    private var isBlank = false
    /// The time of the oldest change that is not captured yet.
    private var changedAt: Instant?
    private var frameIndex: UInt64 = 0
    private var nextCursor: Instant
    private var encoderFailures = 0
    private var lastCoded: Instant?
    /// True if the last picture differed from the one before.
    private var lastHasChanged = false

    /// - Parameters:
    ///   - format: the format; its size is replaced by the screen's, fitted.
    ///   - fit: returns the wanted size of the picture for a screen's size; by default that size.
    ///   - longestPause: the time after which an unchanged picture is coded once more; after a changed picture the
    ///     first repetition comes a frame's time later.
    ///   - followsPath: whether size and frame rate follow what the path carries (row 6), as the bitrate always does.
    ///   - keepsAwake: whether the screen is kept from going dark while somebody watches.
    ///   - makeEncoder: makes the chosen encoder or, as fallback, the one that is likeliest to work after a failure.
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

    /// Runs until a stop is requested; throws the error that ended it.
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

    /// Performs the first task that is due; returns false if none is.
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
            // If the step gave no data, a change that came meanwhile goes before the next step.
            return bytes > 0
        }
        if needsPicture || pauseEnd.map({ $0 <= now }) ?? false, !needsWholeScreen {
            try encode(Captured(damage: Region(), captured: now, converted: now), damaged: now, refinement: 0)
            return true
        }
        return try lookAtCursor(now)
    }

    /// True if somebody waits for a keyframe or a repair, whether the screen changes or not.
    private var isAwaited: Bool { !isBlank && (needsKeyframe || repairSince != nil) }

    /// True if nothing may be captured before the keyframe coded in the background was taken; the waker fires then.
    private var isHeldUp: Bool { waitsForKeyframe && encoder.keyframeAside != .absent && !needsWholeScreen }

    /// False while a keyframe is coded in the background, because refinement starts anew after it.
    private var refines: Bool { encoder.keyframeAside == .absent }

    /// The time at which the next picture is due even without a change: one frame's time after a changed picture, which
    /// players show only when the next one arrives, then after each pause.
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

    /// The earliest time for the next capture. A picture that would wait in a queue is captured as late as possible, so
    /// that it shows the newest content.
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
        // Otherwise the second encode gets its turn together with the main one.
        if changedAt == nil, !isAwaited, !needsWholeScreen, let due = second?.due(now) { at = min(at, due) }
        return at
    }

    /// Captures and codes a picture. Returns false if nothing can be captured until `waitForChange` reports something.
    private func captureAndEncode(_ now: Instant) throws(HelioError) -> Bool {
        let damaged = changedAt ?? now
        changedAt = nil
        guard let captured = try capture.capture(into: picture, everything: needsWholeScreen) else {
            // There was no change, the layout is about to change, or no picture has come yet. A keyframe, a repair or a
            // requested repetition can be coded from the picture as it is.
            if needsWholeScreen {
                isBlank = true
                return false
            }
            if isAwaited || needsPicture {
                pacer.captured(at: now)
                let isRepair = !needsKeyframe
                try encode(Captured(damage: Region(), captured: now, converted: now), damaged: now, refinement: 0)
                // A repair is as coarse as a changed picture, so it needs refinement too.
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

    /// Submits a keyframe that was coded in the background, then a frame with the changes since; returns false if none
    /// is complete.
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
        // The keyframe answers all requests made so far.
        (needsKeyframe, repairSince, waitsForKeyframe) = (isBroken, nil, false)
        lastCoded = now
        planner.steps = encoder.refinementSteps
        planner.changed(at: now)
        guard isBehind else { return true }
        needsPicture = true
        _ = try captureAndEncode(surroundings.now())
        return true
    }

    /// True for a picture with so small a change that the refinement of the rest may go on.
    private func isSmall(_ captured: Captured) -> Bool {
        captured.damage.area * 50 <= format.size.area
    }

    /// True for a picture that is all new after a pause: nothing is gained by coding it with references.
    private func isAllNew(_ captured: Captured) -> Bool {
        let area = captured.damage.area
        return area * 4 >= format.size.area * 3 && lastCoded.map { captured.captured - $0 >= restingTime } ?? true
    }

    /// Codes a picture and submits its slices.
    ///
    /// - Returns: the picture's size in bytes; 0 if the encoder produced none: nothing needed refinement, or the change
    ///   comes with or after a keyframe.
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
                // The first viewer starts the stream and then asks for its first keyframe: that request is answered
                // here.
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

    /// Replaces an encoder that has failed: hardware by software, and software by a new instance (row 7). If software
    /// keeps failing, the pipeline ends.
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

    /// Makes an encoder for another format: the chosen one or, after a failure, the fallback.
    private func make(_ format: VideoFormat) throws(HelioError) -> Encoder { try makeEncoder(format, isFallenBack) }

    private func fallBack(for format: VideoFormat, after error: HelioError) throws(HelioError) {
        let name = encoder.summary
        encoder = try makeEncoder(format, true)
        isFallenBack = true
        encoderFailures = 0
        surroundings.note("\(name) failed (\(error.message)); \(encoder.summary) codes from now on.")
        surroundings.encoderChanged(format.codec, encoder.isHardware)
    }

    // MARK: Adaptation to the path

    /// Switches to the size and the frame rate that the path carries (row 6).
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
            // An encoder that refuses this size will refuse the next one too, so adaptation stops and the agreed format
            // stays.
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

    /// Restarts the second encode for another agreed format or another screen.
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

    /// Calls a function on the second encode; if it fails, the second encode ends, and the main one goes on.
    private func attempt(_ body: (SecondEncode<Capture, Encoder>) throws(HelioError) -> Void) {
        guard let second else { return }
        do throws(HelioError) { try body(second) } catch { loseSecond(error) }
    }

    /// Codes a picture of the second encode, if one is due and the main encode has nothing to do.
    private func codeSecond(_ now: Instant) -> Bool {
        guard let second, !needsWholeScreen, let due = second.due(now), due <= now else { return false }
        if changedAt != nil || isAwaited {
            // The main encode waits for its time of capture; the second one may run if it will be done by then.
            let isRoom = pacer.earliestCapture(now: now) - now >= second.cost
            guard isRoom || now - due >= SecondEncode<Capture, Encoder>.longestWait else { return false }
        }
        attempt { second throws(HelioError) in try second.code(now) }
        return true
    }

    // MARK: Formats

    /// The agreed size: the screen's, within the limits of this end and of all viewers.
    private var agreedSize: PixelSize { wantedSize.fitted(within: agreedLargest) }
    private var wantedSize: PixelSize { fit(capture.size).fitted(within: .largestCoded) }

    /// Adopts the viewers' agreement on codec, size, rate or chroma; if the codec can't be coded, the current one
    /// stays.
    private func adopt(_ agreement: StreamAgreement) throws(HelioError) {
        agreedLargest = agreement.largest
        var changed = agreement.format
        // The agreement's size is ignored, as the screen may have changed since.
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
            // The monitor was unplugged since somebody chose it.
            surroundings.note(error.message)
        }
    }

    /// Follows a new layout: positions are mapped to the new capture before its first picture is sent.
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

    /// Changes the format from the next picture on. A change of rates alone never costs a keyframe: if the encoder
    /// can't change them without one, they wait for the next keyframe.
    ///
    /// If the running encoder can't be changed, a new one takes its place.
    ///
    /// - Parameter mayKeep: true to keep the old encoder and format if no encoder accepts the new one; false to throw.
    /// - Returns: true if the format is coded now, or will be.
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
    /// - Returns: false if the old encoder and the old format stay.
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
