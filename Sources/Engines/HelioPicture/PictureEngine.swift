internal import DequeModule
package import HelioCore
internal import HelioMedia

/// Decides which picture of a screen comes next: when it is captured, in which format it is coded, and when it is refined
/// or repeated (rows 6, 7 and 16).
///
/// A driver asks for the `next` step, does it, and gives its result. Work is done only where the screen has changed or
/// somebody lacks a picture, and only while somebody watches. A second encode, smaller and with half the frames at most,
/// serves viewers whose paths carry far less; it is coded when the main one has nothing to do.
package struct PictureEngine {
    /// The interval at which the pointer is read while somebody watches.
    private static let cursorInterval = Duration.milliseconds(33)
    /// The time after which the second encode comes even where the main one waits.
    private static let longestWait = Duration.milliseconds(500)
    /// The failures of an encoder, without a frame in between, after which it is given up.
    private static let failuresTolerated = 3

    /// What a step is for, whose result is awaited.
    private enum Purpose {
        case monitor
        case encoder
        case format
        case picture
        case capture(CaptureExtent?, damaged: Instant)
        case live(Captured, isSmall: Bool)
        /// Nothing has changed, but somebody waits; `isRepair`: what it codes is as coarse as what has changed.
        case owed(Captured, isRepair: Bool)
        case refinement(Captured, Int)
        case again(Captured)
        case keyframe

        /// The picture that is to be coded, and its step of refinement.
        var picture: (Captured?, refinement: Int) {
            switch self {
            case .live(let captured, _), .owed(let captured, _), .again(let captured): (captured, 0)
            case .refinement(let captured, let step): (captured, step)
            default: (nil, 0)
            }
        }
    }

    /// A captured picture that is to be coded.
    private struct Shot {
        var captured: Captured
        var damaged: Instant
        var refinement = 0
        var purpose: Purpose
    }

    /// The size that this end wants for a screen's size.
    private let fit: @Sendable (PixelSize) -> PixelSize
    private let keepsAwake: Bool
    /// True where the screen fills the picture of a second encode.
    private let fillsFurtherPictures: Bool

    private var screen: ScreenState
    private var main: Encode
    private var second: Encode?
    /// What the viewers of the second encode want to keep.
    private var secondPreference: ContentKind?
    /// The index of the next frame of a second encode, as they go on through all of them.
    private var nextSecondIndex = EncodingID.second.firstFrameIndex
    /// The largest picture that the viewers take; `nil`: any.
    private var agreedLargest: PixelSize?

    private var isWatched = false
    private var nextCursor: Instant
    /// Steps without a result, and the choice of a monitor.
    private var agenda = Deque<PictureStep>()
    /// The step whose result is awaited.
    private var open: (encode: EncodingID, purpose: Purpose)?
    private var shot: (encode: EncodingID, shot: Shot)?
    /// True where the next step is to wait, as the last one has done nothing.
    private var yields = false
    private var secondBegan: Instant?
    /// The formats that were told, and the shortage.
    private var toldFormats: [EncodingID: VideoFormat] = [:]
    private var toldShortage: String?
    private var mayHaveShortage = false

    /// - Parameters:
    ///   - format: the format of the first encoder, which is there. Its rates are the agreed ones.
    ///   - longestPause: after this time the picture is coded once more, though nothing has changed; sooner where it had.
    ///   - followsPath: whether size and frame rate follow what the path carries (row 6), as the bitrate always does.
    ///   - keepsAwake: whether the screen is kept from going dark by itself while somebody watches.
    ///   - fit: gives the size that this end wants for a screen's size.
    package init(
        _ screen: ScreenState, format: VideoFormat, encoder: EncoderTraits, fillsFurtherPictures: Bool,
        longestPause: Duration? = nil, followsPath: Bool = false, keepsAwake: Bool = false, now: Instant,
        fit: @escaping @Sendable (PixelSize) -> PixelSize = { $0 }
    ) {
        self.screen = screen
        self.fit = fit
        self.keepsAwake = keepsAwake
        self.fillsFurtherPictures = fillsFurtherPictures
        main = Encode(main: format, encoder, followsPath: followsPath, longestPause: longestPause)
        toldFormats[.main] = format
        nextCursor = now
    }

    /// The size of the picture for a screen's size, within what can be coded.
    package static func size(of screen: PixelSize, _ fit: (PixelSize) -> PixelSize) -> PixelSize {
        fit(screen).fitted(within: .largestCoded)
    }

    private var wantedSize: PixelSize { Self.size(of: screen.size, fit) }
    /// The size that is agreed on: the screen's, within the limits of this end and of all viewers.
    private var agreedSize: PixelSize { wantedSize.fitted(within: agreedLargest) }

    // MARK: Steps

    /// True between two pictures, where orders may be taken.
    package var takesOrders: Bool { open == nil && shot == nil && agenda.isEmpty }

    /// The next step. A step that `hasResult` is awaited by `handle`.
    ///
    /// - Parameter state: the state of an encode's encoder; `nil` where it has none.
    package mutating func next(now: Instant, _ state: (EncodingID) -> EncoderState?) -> PictureStep {
        if let step = nextOnAgenda() { return step }
        if let id = shot?.encode, let state = state(id) { edit(id) { $0.chooseKind(state) } }
        if let step = nextChange(of: .main, state) ?? nextChange(of: .second, state) { return step }
        if let step = nextOnAgenda() { return step }
        if let (id, shot) = shot, let state = state(id) { return encode(shot, of: id, state) }
        guard isWatched, let mainState = state(.main) else { return .wait(until: nil) }
        if yields {
            yields = false
            return .wait(until: wakeUp(mainState, state(.second), now: now))
        }
        if let task = main.task(mainState, now: now) { return begin(task, of: .main, state, now: now) }
        if now >= nextCursor {
            nextCursor = now + Self.cursorInterval
            return .pollCursor
        }
        if let secondState = state(.second), isSecondsTurn(secondState, now: now),
            let task = second?.task(secondState, now: now)
        {
            secondBegan = now
            return begin(task, of: .second, state, now: now)
        }
        return .wait(until: wakeUp(mainState, state(.second), now: now))
    }

    private mutating func nextOnAgenda() -> PictureStep? {
        guard let step = agenda.popFirst() else { return nil }
        // Of what stands there only the choice of a monitor has a result.
        if step.hasResult { open = (.main, .monitor) }
        return step
    }

    /// The main encode must not find the second one in its way.
    private func isSecondsTurn(_ state: EncoderState, now: Instant) -> Bool {
        guard let second, !main.isWhole, let due = second.due(state, now: now), due <= now else { return false }
        return main.leavesRoom(for: second.cost, now: now) || now - due >= Self.longestWait
    }

    private func wakeUp(_ mainState: EncoderState, _ secondState: EncoderState?, now: Instant) -> Instant {
        let due = main.due(mainState, now: now)
        guard let secondState, let second, !main.hasChanged, !main.isAwaited, !main.isWhole else {
            return min(nextCursor, due ?? nextCursor)
        }
        return min(nextCursor, due ?? nextCursor, second.due(secondState, now: now) ?? nextCursor)
    }

    private mutating func begin(
        _ task: Encode.Task, of id: EncodingID, _ state: (EncodingID) -> EncoderState?, now: Instant
    ) -> PictureStep {
        let nothing = Captured(damage: Region(), captured: now, converted: now)
        switch task {
        case .takeKeyframe:
            return wait(for: .keyframe, of: id, .takeKeyframe(id, frameIndex: edit(id) { $0.frameIndex } ?? 0))
        case .capture:
            guard let (extent, damaged) = edit(id, { $0.beginCapture(now: now) }) else { break }
            if let extent { return wait(for: .capture(extent, damaged: damaged), of: id, .capture(id, extent)) }
            take(nothing, of: id, nil, damaged: damaged, now: now)
        case .rest:
            edit(id) { $0.rest(now: now) }
            mayHaveShortage = true
        case .refine(let step):
            shot = (id, Shot(captured: nothing, damaged: now, refinement: step, purpose: .refinement(nothing, step)))
        case .again:
            shot = (id, Shot(captured: nothing, damaged: now, purpose: .again(nothing)))
        }
        return next(now: now, state)
    }

    private mutating func encode(_ shot: Shot, of id: EncodingID, _ state: EncoderState) -> PictureStep {
        self.shot = nil
        guard let request = edit(id, { $0.makeRequest(state, refinement: shot.refinement) }) else {
            return .wait(until: nil)
        }
        let captured = shot.captured
        let timing = FrameTiming(damaged: shot.damaged, captured: captured.captured, converted: captured.converted)
        return wait(for: shot.purpose, of: id, .encode(id, captured, request, timing))
    }

    private mutating func wait(for purpose: Purpose, of id: EncodingID, _ step: PictureStep) -> PictureStep {
        open = (id, purpose)
        return step
    }

    /// The step towards the format that is wanted of an encode. What has been reached is told.
    private mutating func nextChange(of id: EncodingID, _ state: (EncodingID) -> EncoderState?) -> PictureStep? {
        guard let step = edit(id, { $0.nextChange(state(id)) }) ?? nil else {
            settle(id)
            return nil
        }
        switch step {
        case .makeEncoder: return wait(for: .encoder, of: id, step)
        case .reconfigure: return wait(for: .format, of: id, step)
        default: return wait(for: .picture, of: id, step)
        }
    }

    private mutating func settle(_ id: EncodingID) {
        let sentence = edit(id) { $0.takeAnnouncement() } ?? nil
        guard id == .main else { return }
        if let sentence { note(sentence) }
        tellShortage()
    }

    private mutating func tellShortage() {
        guard mayHaveShortage else { return }
        mayHaveShortage = false
        let cause = main.followsPath ? main.ladder.shortage : nil
        guard cause != toldShortage else { return }
        toldShortage = cause
        tell(.shortage(cause))
    }

    /// Does something with an encode, in place; `nil` where it is not there.
    @discardableResult
    private mutating func edit<Result>(_ id: EncodingID, _ body: (inout Encode) -> Result) -> Result? {
        switch id {
        case .main: body(&main)
        case .second: second == nil ? nil : body(&second!)
        }
    }

    private mutating func tell(_ news: PictureNews) { agenda.append(.tell(news)) }
    private mutating func note(_ sentence: String) { tell(.note(sentence)) }

    private mutating func tellFormat(of id: EncodingID) {
        guard let coded = edit(id, { $0.coded }), toldFormats[id] != coded else { return }
        toldFormats[id] = coded
        tell(.format(coded, of: id))
    }

    // MARK: Results

    /// Takes the result of the step that was last given.
    ///
    /// - Parameter state: of the encoder that the step was for.
    package mutating func handle(_ result: PictureResult, _ state: EncoderState?, now: Instant) {
        guard let (id, purpose) = open else { return }
        open = nil
        let state = state ?? EncoderState()
        switch (purpose, result) {
        case (.monitor, .failed(let error)):
            // Unplugged since somebody chose it.
            note(error.message)
        case (.monitor, _): break
        case (.encoder, .madeEncoder(let traits)): made(traits, of: id)
        case (.encoder, .failed(let error)): canNotMake(error, of: id)
        case (.format, .done):
            edit(id) { $0.reconfigured() }
            tellFormat(of: id)
        case (.format, .failed(let error)): refused(error, by: id)
        case (.picture, .done): remakePicture(of: id)
        case (.capture(let extent, let damaged), .captured(let captured)):
            take(captured, of: id, extent, damaged: damaged, now: now)
        case (.keyframe, .tookKeyframe(let isBehind, let isBroken)):
            guard let isBehind else {
                yields = true
                return
            }
            edit(id) { $0.tookKeyframe(isBehind: isBehind, isBroken: isBroken, state, now: now) }
        case (_, .coded(let picture)): coded(picture, for: purpose, of: id, state, now: now)
        case (.picture, .failed(let error)), (.capture, .failed(let error)):
            if id == .main { agenda.append(.fail(error)) } else { loseSecond(error) }
        case (_, .failed(let error)): failed(error, purpose, of: id, state, now: now)
        default: preconditionFailure("a result of another step")
        }
        if id == .second, let began = secondBegan { second?.cost = now - began }
    }

    private mutating func remakePicture(of id: EncodingID) {
        let size = screen.size
        edit(id) { $0.madePicture(size) }
    }

    private mutating func take(
        _ captured: Captured?, of id: EncodingID, _ extent: CaptureExtent?, damaged: Instant, now: Instant
    ) {
        guard let taken = edit(id, { $0.take(captured, of: extent, now: now) }) ?? nil else { return }
        if captured == nil || extent == nil {
            let isRepair = edit(id) { captured == nil ? !$0.needsKeyframe : !$0.follows } ?? false
            shot = (id, Shot(captured: taken, damaged: damaged, purpose: .owed(taken, isRepair: isRepair)))
            return
        }
        if id == .main { second?.note(taken.damage, of: main.coded.size, screen: screen.size, now: now) }
        let isSmall = edit(id) { $0.isSmall(taken) } ?? false
        shot = (
            id,
            Shot(
                captured: taken, damaged: min(damaged, taken.captured), purpose: .live(taken, isSmall: isSmall))
        )
    }

    private mutating func coded(
        _ picture: CodedPicture, for purpose: Purpose, of id: EncodingID, _ state: EncoderState, now: Instant
    ) {
        let (captured, refinement) = purpose.picture
        guard let captured else { return }
        let isPicture = edit(id) { $0.take(picture, captured, refinement: refinement, state) } ?? false
        follow(purpose, bytes: isPicture ? picture.bytes : 0, of: id, state, now: now)
    }

    /// Plans what comes after a picture was coded, or failed.
    private mutating func follow(
        _ purpose: Purpose, bytes: Int, of id: EncodingID, _ state: EncoderState, now: Instant
    ) {
        switch purpose {
        case .live(let captured, let isSmall):
            edit(id) { encode in
                encode.planner.steps = state.refinementSteps
                encode.planner.changed(at: captured.captured, isSmall: isSmall)
                encode.adapt(now: captured.captured)
            }
            if id == .main { mayHaveShortage = true }
        case .owed(let captured, let isRepair):
            if isRepair { edit(id) { $0.planner.changed(at: captured.captured) } }
        case .refinement(_, let step):
            edit(id) { encode in
                encode.planner.refined(step: step, at: now, bytes: bytes)
                if state.isSharp { encode.planner.finish() }
            }
            // Where another step is due at once, what has changed meanwhile comes before it.
            yields = bytes == 0
        default: break
        }
    }

    // MARK: Encoders that fail or refuse

    private mutating func failed(
        _ error: HelioError, _ purpose: Purpose, of id: EncodingID, _ state: EncoderState, now: Instant
    ) {
        guard id == .main else { return loseSecond(error) }
        if case .keyframe = purpose {} else { main.frameIndex += 1 }
        tell(.trouble(.failed))
        let isHardware = main.traits.isHardware
        if !isHardware {
            main.failures += 1
            if main.failures >= Self.failuresTolerated { return agenda.append(.fail(error)) }
            note("The encoder failed (\(error.message)); it was started again.")
        }
        main.replaceEncoder(.failure(error))
        follow(purpose, bytes: 0, of: id, state, now: now)
        yields = false
    }

    private mutating func refused(_ error: HelioError, by id: EncodingID) {
        guard id == .main else { return loseSecond(error) }
        tell(.trouble(.refused))
        main.replaceEncoder(.refusal(error))
    }

    private mutating func made(_ traits: EncoderTraits, of id: EncodingID) {
        let cause = edit(id) { $0.need?.cause } ?? nil
        let before = edit(id) { $0.madeEncoder(traits) } ?? nil
        if id == .main, let cause { tellEncoder(cause, insteadOf: before) }
        tellFormat(of: id)
    }

    private mutating func tellEncoder(_ cause: Encode.Cause, insteadOf before: String?) {
        let isOther: Bool
        switch cause {
        case .refusal(let error), .failure(let error):
            isOther = before != nil
            if let before { note("\(before) failed (\(error.message)); \(main.traits.summary) codes from now on.") }
        case .agreement, .start: isOther = true
        }
        if isOther { tell(.encoder(main.coded.codec, isHardware: main.traits.isHardware)) }
    }

    private mutating func canNotMake(_ error: HelioError, of id: EncodingID) {
        guard let need = edit(id, { $0.need }) ?? nil else { return }
        switch need.cause {
        case .start:
            if edit(id, { $0.tryFallback() }) != true { loseSecond(error) }
        case .failure: agenda.append(.fail(error))
        case .agreement:
            guard id == .main else { return loseSecond(error) }
            tell(.trouble(.refused))
            main.keepCodec()
            note("\(error.message) The stream stays \(main.coded.codec.encodingName).")
        case .refusal:
            let wanted = need.format
            guard main.keepFormat() else { return agenda.append(.fail(error)) }
            mayHaveShortage = true
            note(
                "No encoder takes \(wanted.size) at \(wanted.bitrate) and \(wanted.framesPerSecond) frames a second: "
                    + "they stay as they are. \(error.message)")
        }
    }

    // MARK: The second encode

    private mutating func setSecond(_ bitrate: Bitrate?, now: Instant) {
        guard let bitrate else { return endSecond() }
        guard second != nil else { return beginSecond(bitrate, now: now) }
        second?.agreed.bitrate = bitrate
        second?.rate = bitrate
        second?.ladder.setRate(bitrate, now: now)
        second?.adapt(now: now)
    }

    private mutating func beginSecond(_ bitrate: Bitrate, now: Instant) {
        guard fillsFurtherPictures else {
            return loseSecond(HelioError(.unsupported, "this screen gives one picture alone."))
        }
        var agreed = main.coded
        agreed.size = agreedSize
        agreed.framesPerSecond = max(1, main.agreed.framesPerSecond / 2)
        agreed.bitrate = bitrate
        second = Encode(
            second: agreed, watch: main.watch, preferred: secondPreference, isFallenBack: main.isFallenBack,
            followsPath: main.followsPath, frameIndex: nextSecondIndex, screen: screen.size, now: now)
    }

    private mutating func endSecond() {
        guard let ended = second else { return }
        nextSecondIndex = ended.frameIndex
        second = nil
        toldFormats[.second] = nil
        secondBegan = nil
        if shot?.encode == .second { shot = nil }
        agenda.append(.close(.second))
    }

    /// Begins the second encode anew, as another format was agreed on or another screen is there.
    private mutating func renewSecond(now: Instant) {
        guard let bitrate = second?.agreed.bitrate else { return }
        endSecond()
        beginSecond(bitrate, now: now)
    }

    private mutating func loseSecond(_ error: HelioError) {
        endSecond()
        tell(.trouble(.failed))
        note("There is no second encode for slow viewers: \(error.message)")
        tell(.secondFailed)
    }

    // MARK: What the screen and others say

    /// The screen has changed.
    package mutating func changed(at instant: Instant) { main.changed(at: instant) }

    /// The screen's layout has changed: positions are mapped to the new capture before anybody sees it.
    package mutating func follow(_ new: ScreenState, now: Instant) {
        main.unblank()
        if new.isOff != screen.isOff {
            screen.isOff = new.isOff
            note(
                new.isOff
                    ? "The display is switched off: viewers keep its last picture until it is on again."
                    : "The display is on again.")
        }
        if new.isOff { return }
        let before = screen
        screen = new
        tell(.screen(screen.shown, screen.layout.selected))
        tell(.layout(screen.layout))
        let isOther = screen.layout.selected.id != before.layout.selected.id
        if isOther {
            main.wishes.ask(KeyframeWish("another monitor"))
            main.becomeWhole(screen.size)
            noteOther(than: before.layout.selected)
        }
        if screen.size == before.size { return }
        tell(.wantedSize(wantedSize))
        main.lose(picture: agreedSize)
        main.becomeWhole(screen.size)
        renewSecond(now: now)
        if !isOther { note("The display is \(screen.shown) now.") }
        if let sentence = wantedSize.note(scaledFrom: screen.size) { note("\(sentence).") }
        mayHaveShortage = true
    }

    private mutating func noteOther(than before: ScreenMonitor) {
        let isGone = !screen.layout.monitors.contains { $0.id == before.id }
        note(
            (isGone ? "The monitor \(before.name) is gone. " : "")
                + "The monitor \(screen.layout.selected.name) is shared from now on, \(screen.shown).")
    }

    /// Takes what others want; to be called where `takesOrders`.
    package mutating func obey(_ orders: PictureOrders, now: Instant) {
        if let watched = orders.isWatched, watched != isWatched {
            isWatched = watched
            main.becomeWhole(screen.size)
            if keepsAwake { agenda.append(.keepAwake(watched)) }
            if watched {
                main.ladder.begin()
                main.watch = ContentWatch()
            }
        }
        if let wishes = orders.wishes[.main] { main.wishes.merge(wishes) }
        if let agreement = orders.agreement { adopt(agreement, now: now) }
        if let monitor = orders.monitor {
            // Its result is awaited, so it is the last of the agenda.
            agenda.append(.select(monitor))
        }
        if orders.repeatsPicture { main.repeats = true }
        if let bitrate = orders.bitrate { main.rate = min(bitrate, main.agreed.bitrate) }
        if let bitrate = orders.second { setSecond(bitrate, now: now) }
        if let wishes = orders.wishes[.second] { second?.want(wishes, now: now) }
        if let preference = orders.preferences[.main] { main.ladder.preferred = preference }
        if let preference = orders.preferences[.second] {
            secondPreference = preference
            second?.ladder.preferred = preference
        }
        if orders.isWatched != nil || orders.agreement != nil || orders.bitrate != nil {
            main.ladder.setRate(min(main.rate, main.agreed.bitrate), now: now)
            if isWatched { main.adapt(now: now) }
            mayHaveShortage = true
        }
    }

    /// Adopts the viewers' agreement on codec, size, rate or chroma.
    private mutating func adopt(_ agreement: PictureOrders.Agreement, now: Instant) {
        agreedLargest = agreement.largest
        var agreed = agreement.format
        // The screen may have changed since they agreed.
        agreed.size = agreedSize
        if agreed == main.agreed { return }
        main.agreed = agreed
        main.rate = min(main.rate, agreed.bitrate)
        main.ladder.agree(size: agreed.size, framesPerSecond: agreed.framesPerSecond)
        renewSecond(now: now)
    }
}
