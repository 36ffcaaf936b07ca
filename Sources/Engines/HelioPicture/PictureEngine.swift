internal import DequeModule
package import HelioCore
internal import HelioMedia

/// Decides on the next picture of a screen: when it is captured, in which format it is coded, and when it is refined or
/// repeated (requirement rows 6, 7 and 16).
///
/// A driver calls `next`, executes the step, and passes its result to `handle`. Pictures are captured and encoded only
/// while at least one viewer watches, and only if the screen has changed or a viewer has requested a picture. A second
/// encoding, with a size of its own and at most half the frame rate, serves viewers on paths with a far lower rate. It
/// is encoded while the main encoding has no task.
package struct PictureEngine {
    /// The interval at which the pointer is read while a viewer watches.
    static let cursorInterval = Duration.milliseconds(33)
    /// The longest time that a due task of the second encoding waits for a pause in the main encoding.
    static let longestWait = Duration.milliseconds(500)
    /// The number of consecutive failures of a software encoder, without a coded frame in between, at which the engine
    /// ends the stream with the error.
    static let failuresTolerated = 3

    /// The purpose of a step whose result the driver has yet to pass to `handle`.
    enum Purpose {
        case monitor
        case encoder
        case format
        case picture
        case capture(CaptureExtent, damaged: Instant)
        case encoding(Shot)
        case keyframe
    }

    /// A captured picture that is to be encoded.
    struct Shot {
        enum Kind {
            case live(isSmall: Bool)
            /// An unchanged picture that was requested. If `isRepair` is true, it is as coarse as a live picture, so
            /// refinement starts over.
            case owed(isRepair: Bool)
            /// The refinement step, 1 or more.
            case refinement(Int)
            case again
        }

        var captured: Captured
        var damaged: Instant
        var kind: Kind

        /// The refinement step, 1 or more; 0 if this is not a refinement.
        var refinement: Int { if case .refinement(let step) = kind { step } else { 0 } }
    }

    /// Maps a screen's size to the size that this host wants to encode.
    let fit: @Sendable (PixelSize) -> PixelSize
    let keepsAwake: Bool
    /// True if the screen can also be captured into the picture of a second encoding.
    let fillsFurtherPictures: Bool

    var screen: ScreenState
    var main: Encode
    var second: Encode?
    /// The kind of content that the second encoding's viewers prefer to preserve; `nil`: as detected.
    var secondPreference: ContentKind?
    /// The index of the next second encoding's first frame, as indices continue from one second encoding to the next.
    var nextSecondIndex = EncodingID.second.firstFrameIndex
    /// The largest picture that all viewers accept; `nil`: no limit.
    var agreedLargest: PixelSize?

    var isWatched = false
    var nextCursor: Instant
    /// The queued steps: those without a result, and the selection of a monitor, which has one.
    var agenda = Deque<PictureStep>()
    /// The step whose result is awaited.
    var open: (encode: EncodingID, purpose: Purpose)?
    var shot: (encode: EncodingID, shot: Shot)?
    /// True if the next step has to be a wait, as the last step had no effect and would be due again at once.
    var yields = false
    var secondBegan: Instant?
    /// The formats as last reported.
    var toldFormats: [EncodingID: VideoFormat] = [:]
    /// The shortage as last reported; `nil` if the agreed format was reported.
    var toldShortage: String?
    var mayHaveShortage = false

    /// - Parameters:
    ///   - format: the format of the first encoder, which exists already; its rates are the agreed ones.
    ///   - longestPause: the time after which an unchanged picture is encoded again; after a changed picture it is
    ///     encoded again one frame interval later.
    ///   - followsPath: true if size and frame rate adapt to the path's rate (requirement row 6), as the bitrate always
    ///     does.
    ///   - keepsAwake: true to prevent the screen from going dark while a viewer watches.
    ///   - fit: maps a screen's size to the size that this host wants to encode.
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

    /// The size of the picture for a screen's size: the result of `fit`, limited to the largest codable size.
    package static func size(of screen: PixelSize, _ fit: (PixelSize) -> PixelSize) -> PixelSize {
        fit(screen).fitted(within: .largestCoded)
    }

    var wantedSize: PixelSize { Self.size(of: screen.size, fit) }
    /// The agreed size of the picture: the screen's size within the limits of this host and of all viewers.
    var agreedSize: PixelSize { wantedSize.fitted(within: agreedLargest) }

    // MARK: Steps

    /// True if `obey` may be called: no result is awaited and no capture or step is pending.
    package var takesOrders: Bool { open == nil && shot == nil && agenda.isEmpty }

    /// Returns the next step. If the step's `hasResult` is true, its result has to be passed to `handle`.
    ///
    /// - Parameter state: the state of an encoding's encoder; `nil` if it has none.
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

    mutating func nextOnAgenda() -> PictureStep? {
        guard let step = agenda.popFirst() else { return nil }
        // The only step on the agenda that has a result is the selection of a monitor.
        if step.hasResult { open = (.main, .monitor) }
        return step
    }

    /// Returns whether to execute a due task of the second encoding: it would not delay the main encoding, or has
    /// waited for `longestWait`.
    func isSecondsTurn(_ state: EncoderState, now: Instant) -> Bool {
        guard let second, !main.isWhole, let due = second.due(state, now: now), due <= now else { return false }
        return main.leavesRoom(for: second.cost, now: now) || now - due >= Self.longestWait
    }

    func wakeUp(_ mainState: EncoderState, _ secondState: EncoderState?, now: Instant) -> Instant {
        let due = main.due(mainState, now: now)
        guard let secondState, let second, !main.hasChanged, !main.isAwaited, !main.isWhole else {
            return min(nextCursor, due ?? nextCursor)
        }
        return min(nextCursor, due ?? nextCursor, second.due(secondState, now: now) ?? nextCursor)
    }

    mutating func begin(
        _ task: Encode.Task, of id: EncodingID, _ state: (EncodingID) -> EncoderState?, now: Instant
    ) -> PictureStep {
        let nothing = Captured(damage: Region(), captured: now, converted: now)
        switch task {
        case .takeKeyframe:
            return expect(.keyframe, of: id, .takeKeyframe(id, frameIndex: edit(id) { $0.frameIndex } ?? 0))
        case .capture:
            guard let (extent, damaged) = edit(id, { $0.beginCapture(now: now) }) else { break }
            if let extent { return expect(.capture(extent, damaged: damaged), of: id, .capture(id, extent)) }
            take(nothing, of: id, nil, damaged: damaged, now: now)
        case .rest:
            edit(id) { $0.rest(now: now) }
            mayHaveShortage = true
        case .refine(let step):
            shot = (id, Shot(captured: nothing, damaged: now, kind: .refinement(step)))
        case .again:
            shot = (id, Shot(captured: nothing, damaged: now, kind: .again))
        }
        return next(now: now, state)
    }

    mutating func encode(_ shot: Shot, of id: EncodingID, _ state: EncoderState) -> PictureStep {
        self.shot = nil
        guard let request = edit(id, { $0.makeRequest(state, refinement: shot.refinement) }) else {
            return .wait(until: nil)
        }
        let captured = shot.captured
        let timing = FrameTiming(damaged: shot.damaged, captured: captured.captured, converted: captured.converted)
        return expect(.encoding(shot), of: id, .encode(id, captured, request, timing))
    }

    /// Records the purpose of a step with a result, and returns the step.
    mutating func expect(_ purpose: Purpose, of id: EncodingID, _ step: PictureStep) -> PictureStep {
        open = (id, purpose)
        return step
    }

    /// Returns the next step towards an encoding's wanted format. If no step is left, reports the changes that were
    /// made, and returns `nil`.
    mutating func nextChange(of id: EncodingID, _ state: (EncodingID) -> EncoderState?) -> PictureStep? {
        guard let step = edit(id, { $0.nextChange(state(id)) }) ?? nil else {
            settle(id)
            return nil
        }
        switch step {
        case .makeEncoder: return expect(.encoder, of: id, step)
        case .reconfigure: return expect(.format, of: id, step)
        default: return expect(.picture, of: id, step)
        }
    }

    mutating func settle(_ id: EncodingID) {
        let sentence = edit(id) { $0.takeAnnouncement() } ?? nil
        guard id == .main else { return }
        if let sentence { note(sentence) }
        tellShortage()
    }

    mutating func tellShortage() {
        guard mayHaveShortage else { return }
        mayHaveShortage = false
        let cause = main.followsPath ? main.ladder.shortage : nil
        guard cause != toldShortage else { return }
        toldShortage = cause
        tell(.shortage(cause))
    }

    /// Modifies an encoding in place, and returns the closure's result; `nil` if the encoding does not exist.
    @discardableResult
    mutating func edit<Result>(_ id: EncodingID, _ body: (inout Encode) -> Result) -> Result? {
        switch id {
        case .main: body(&main)
        case .second: second == nil ? nil : body(&second!)
        }
    }

    mutating func tell(_ news: PictureNews) { agenda.append(.tell(news)) }
    mutating func note(_ sentence: String) { tell(.note(sentence)) }

    mutating func tellFormat(of id: EncodingID) {
        guard let coded = edit(id, { $0.coded }), toldFormats[id] != coded else { return }
        toldFormats[id] = coded
        tell(.format(coded, of: id))
    }
}
