internal import HelioCore
internal import HelioMedia

/// The second encode of a screen, smaller and with half the frames at most, for viewers whose paths carry far less than
/// the others'.
///
/// It has a picture of its own, which is given what has changed on the screen since its last frame, and an encoder of
/// its own. It is coded on the same thread as the main encode, when that has nothing to do.
final class SecondEncode<Capture: ScreenCapturing, Encoder: VideoEncoding> where Encoder.Picture == Capture.Picture {
    /// The time after which it is coded even where the main encode waits.
    static var longestWait: Duration { .milliseconds(500) }

    /// The bitrate that it is to keep to.
    private(set) var bitrate: Bitrate
    /// The index of the next frame.
    private(set) var frameIndex: UInt64
    /// The time that the last frame took.
    private(set) var cost = Duration.zero

    private let capture: Capture
    private let controls: SourceControls
    private let surroundings: SourcePipeline<Capture, Encoder>.Surroundings
    private let followsPath: Bool
    private var format: VideoFormat
    private var encoder: Encoder
    private var picture: Capture.Picture
    private var ladder: AdaptationLadder
    private var watch: ContentWatch
    private var pacer: CapturePacer
    private var planner = RefinementPlanner()

    /// The part of the screen that has changed since the last frame.
    private var pending: Region
    private var needsKeyframe = true
    /// True where the next picture is of another size because nothing moves.
    private var rests = false
    private var repairSince: UInt64?
    /// True where a picture waits for the keyframe that is coded aside.
    private var waitsForKeyframe = false
    /// Since when there is something to code.
    private var waitsSince: Instant?

    /// - Parameters:
    ///   - agreed: the largest size, the most frames and the bitrate.
    ///   - watch: what the main encode has seen of the screen.
    ///   - followsPath: whether size and frame rate follow the bitrate.
    ///   - firstIndex: the index of the first frame.
    init(
        of capture: Capture, agreed: VideoFormat, watch: ContentWatch, followsPath: Bool, firstIndex: UInt64,
        controls: SourceControls, surroundings: SourcePipeline<Capture, Encoder>.Surroundings,
        makeEncoder: (VideoFormat) throws(HelioError) -> Encoder
    ) throws(HelioError) {
        self.capture = capture
        self.controls = controls
        self.surroundings = surroundings
        self.followsPath = followsPath
        self.watch = watch
        bitrate = agreed.bitrate
        frameIndex = firstIndex
        var ladder = AdaptationLadder(
            size: agreed.size, framesPerSecond: agreed.framesPerSecond, rate: agreed.bitrate)
        var format = agreed
        if followsPath {
            ladder.begin(for: watch.kind)
            format.size = ladder.rung.size
            format.framesPerSecond = ladder.rung.framesPerSecond
        }
        self.ladder = ladder
        self.format = format
        encoder = try makeEncoder(format)
        picture = try capture.makePicture(size: format.size, chroma: format.chroma, color: format.color)
        pacer = CapturePacer(framesPerSecond: format.framesPerSecond)
        pending = Region(PixelRect(capture.size))
        surroundings.secondChanged(format)
    }

    /// Notes what has changed on the screen.
    ///
    /// - Parameters:
    ///   - damage: what has changed in the main encode's picture.
    ///   - size: the size of that.
    func note(_ damage: Region, of size: PixelSize) {
        let screen = capture.size
        for rect in damage.rects { pending.add(rect.scaled(from: size, to: screen)) }
        waitsSince = waitsSince ?? surroundings.now()
    }

    func want(_ pictures: SourceControls.Pictures) {
        if pictures.keyframe != nil { needsKeyframe = true }
        if let repair = pictures.repair { repairSince = min(repairSince ?? .max, repair.since) }
        waitsSince = waitsSince ?? surroundings.now()
    }

    /// Takes what the viewers want to keep where the bitrate does not carry all.
    func prefer(_ kind: ContentKind?) { ladder.preferred = kind }

    /// Keeps to another bitrate from now on.
    func set(_ bitrate: Bitrate, now: Instant) throws(HelioError) {
        self.bitrate = bitrate
        var changed = format
        changed.bitrate = bitrate
        try reconfigure(changed)
        ladder.setRate(bitrate, now: now)
        try adapt(now)
    }

    /// The time of the next frame or refinement, which may be past; `nil` where there is nothing to code.
    func due(_ now: Instant) -> Instant? {
        switch encoder.keyframeAside {
        case .complete: return now
        // `waker` tells when it is complete, and nothing is refined before.
        case .coding where waitsForKeyframe || pending.isEmpty && !isAwaited: return nil
        case .coding, .absent: break
        }
        let debt = encoder.debt(now: now)
        guard !pending.isEmpty || isAwaited else {
            let refinement = planner.deadline.map { max($0.at, now + debt) }
            return [refinement, restDeadline].compactMap(\.self).min()
        }
        // What would wait for its turn on the path is captured when that comes, not before.
        let earliest = pacer.earliestCapture(now: waitsSince ?? now)
        return debt > format.frameInterval ? max(earliest, now + (debt - format.frameInterval)) : earliest
    }

    /// Codes what is due.
    func code(_ now: Instant) throws(HelioError) {
        defer {
            cost = surroundings.now() - now
            waitsSince = nil
        }
        if try takeKeyframe(now) { return }
        if pending.isEmpty, !isAwaited {
            if let restDeadline, restDeadline <= now { return try rest(now) }
            guard let step = planner.due(now: now) else { return }
            try encode(Captured(damage: Region(), captured: now, converted: now), refinement: step)
            planner.refined(step: step, at: surroundings.now())
            if encoder.isSharp { planner.finish() }
            return
        }
        let part = pending
        pending.removeAll()
        pacer.captured(at: now)
        var captured = Captured(damage: Region(), captured: now, converted: now)
        if !part.isEmpty {
            guard let taken = try capture.capture(part, into: picture) else {
                // The layout is about to change.
                return pending.add(part)
            }
            captured = taken
        }
        guard !captured.damage.isEmpty || isAwaited else { return }
        try encode(captured, refinement: 0)
        planner.steps = encoder.refinementSteps
        planner.changed(at: captured.captured)
        try adapt(captured.captured)
    }

    // MARK: Inside

    /// Hands out a keyframe that was coded aside, and right behind it what has changed since; false where none is complete.
    private func takeKeyframe(_ now: Instant) throws(HelioError) -> Bool {
        var isBroken = false
        let isBehind = try encoder.takeKeyframe(of: picture, frameIndex: frameIndex, now: now) { slice in
            var slice = slice
            slice.encoding = .second
            if slice.isFirst { controls.keyframeBegins(of: .second) }
            if !isBroken, !surroundings.submit(slice) { isBroken = true }
        }
        guard let isBehind else { return false }
        frameIndex += 1
        (needsKeyframe, repairSince, waitsForKeyframe) = (isBroken, nil, false)
        planner.steps = encoder.refinementSteps
        planner.changed(at: now)
        guard isBehind else { return true }
        let then = surroundings.now()
        try encode(Captured(damage: Region(), captured: then, converted: then), refinement: 0)
        return true
    }

    /// True where somebody can't go on without a picture of another kind, changed or not.
    private var isAwaited: Bool { needsKeyframe || repairSince != nil }

    private func encode(_ captured: Captured, refinement: Int) throws(HelioError) {
        if repairSince != nil, !encoder.repairs { needsKeyframe = true }
        let timing = FrameTiming(
            damaged: captured.captured, captured: captured.captured, converted: captured.converted)
        let request = EncodeRequest(
            keyframe: needsKeyframe, refinement: refinement, repairSince: needsKeyframe ? nil : repairSince,
            frameIndex: frameIndex, rests: rests)
        needsKeyframe = false
        repairSince = nil
        rests = false
        let index = frameIndex
        frameIndex += 1
        if encoder.keyframeAside == .absent { waitsForKeyframe = false }
        var (isBroken, isKeyframe, bytes) = (false, false, 0)
        try encoder.encode(picture, damage: captured.damage, request: request, timing: timing) { slice in
            var slice = slice
            slice.frameIndex = index
            slice.encoding = .second
            bytes += slice.annexB.count
            if slice.isKeyframe { isKeyframe = true }
            if slice.isFirst, slice.isKeyframe { controls.keyframeBegins(of: .second) }
            if slice.isFirst, let since = slice.repairsSince { controls.repairBegins(since: since, of: .second) }
            if !isBroken, !surroundings.submit(slice) { isBroken = true }
        }
        if bytes == 0, refinement > 0 || encoder.keyframeAside != .absent {
            // Nothing was to be refined, or it comes with a keyframe or after it: that is no frame.
            frameIndex = index
            if refinement == 0, !captured.damage.isEmpty { waitsForKeyframe = true }
            return
        }
        if isBroken { needsKeyframe = true }
        if !isKeyframe, refinement == 0, !captured.damage.isEmpty {
            ladder.take(captured, of: format.size, bits: bytes * 8, quality: encoder.quality, watch: &watch)
        }
    }

    private var restDeadline: Instant? { followsPath ? ladder.restDeadline?.at : nil }

    /// Goes to the agreed size, as nothing moves.
    private func rest(_ now: Instant) throws(HelioError) {
        guard let step = ladder.pollRest(now: now) else { return }
        rests = true
        try take(step)
    }

    /// Codes in the size and the frame rate that the path carries (row 6).
    private func adapt(_ now: Instant) throws(HelioError) {
        guard followsPath, let step = ladder.poll(now: now) else { return }
        try take(step)
    }

    private func take(_ step: LadderStep) throws(HelioError) {
        var changed = format
        changed.size = step.rung.size
        changed.framesPerSecond = step.rung.framesPerSecond
        try reconfigure(changed)
    }

    private func reconfigure(_ changed: VideoFormat) throws(HelioError) {
        if changed == format { return }
        let isOtherSize = changed.size != format.size
        try encoder.reconfigure(changed)
        format = changed
        pacer.setRate(framesPerSecond: changed.framesPerSecond)
        if isOtherSize {
            picture = try capture.makePicture(size: changed.size, chroma: changed.chroma, color: changed.color)
            needsKeyframe = true
            pending = Region(PixelRect(capture.size))
        }
        surroundings.secondChanged(changed)
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
