internal import HelioCore
internal import HelioMedia

/// The second encode of a screen, smaller and at half the frame rate at most, for viewers whose paths carry far less
/// than the others'.
///
/// It has its own encoder, and its own picture, which is updated with the changes on the screen since its last frame.
/// It is coded on the media thread, when the main encode has nothing to do.
final class SecondEncode<Capture: ScreenCapturing, Encoder: VideoEncoding> where Encoder.Picture == Capture.Picture {
    /// The longest wait for the main encode to be idle; after it, this encode takes its turn.
    static var longestWait: Duration { .milliseconds(500) }

    /// The target bitrate.
    private(set) var bitrate: Bitrate
    /// The index of the next frame.
    private(set) var frameIndex: UInt64
    /// The processing time of the last frame.
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

    /// The part of the screen that has changed since the last frame, in pixels of the screen.
    private var pending: Region
    private var needsKeyframe = true
    /// True if the next picture only changes size, because the screen is still.
    private var rests = false
    private var repairSince: UInt64?
    /// True while a changed picture waits for the keyframe that is coded in the background.
    private var waitsForKeyframe = false
    /// The time since which there is something to code.
    private var waitsSince: Instant?

    /// Makes the encoder, at the ladder's first rung if the format follows the path.
    ///
    /// - Parameters:
    ///   - agreed: the largest size, the highest frame rate, and the bitrate.
    ///   - watch: the content statistics of the main encode.
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

    /// Notes a change on the screen.
    ///
    /// - Parameters:
    ///   - damage: the changed region of the main encode's picture.
    ///   - size: the size of that picture.
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

    /// Sets what the viewers prefer to keep, sharpness or motion, when the bitrate does not carry both; `nil` leaves it
    /// to the content.
    func prefer(_ kind: ContentKind?) { ladder.preferred = kind }

    /// Changes the target bitrate.
    func set(_ bitrate: Bitrate, now: Instant) throws(HelioError) {
        self.bitrate = bitrate
        var changed = format
        changed.bitrate = bitrate
        try reconfigure(changed)
        ladder.setRate(bitrate, now: now)
        try adapt(now)
    }

    /// The time of the next frame or refinement, which may be past; `nil` if there is nothing to code.
    func due(_ now: Instant) -> Instant? {
        switch encoder.keyframeAside {
        case .complete: return now
        // The waker fires when the keyframe is complete; no refinement is coded before.
        case .coding where waitsForKeyframe || pending.isEmpty && !isAwaited: return nil
        case .coding, .absent: break
        }
        let debt = encoder.debt(now: now)
        guard !pending.isEmpty || isAwaited else {
            let refinement = planner.deadline.map { max($0.at, now + debt) }
            return [refinement, restDeadline].compactMap(\.self).min()
        }
        // A frame that would wait in a queue is captured as late as possible, so that it shows the newest content.
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

    // MARK: Coding

    /// Submits a keyframe that was coded in the background, then a frame with the changes since; returns false if none
    /// is complete.
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

    /// True if somebody waits for a keyframe or a repair, whether the screen changes or not.
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
            // The encoder produced no frame: nothing needed refinement, or the change comes with or after a keyframe.
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

    /// Returns to the agreed size, because the screen is still.
    private func rest(_ now: Instant) throws(HelioError) {
        guard let step = ladder.pollRest(now: now) else { return }
        rests = true
        try take(step)
    }

    /// Switches to the size and the frame rate that the path carries (row 6).
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
    /// Maps a region of a picture to the same picture in another size, extended by a pixel on each side, because
    /// scaling mixes the pixels at the edges.
    fileprivate func scaled(from size: PixelSize, to other: PixelSize) -> PixelRect {
        if size == other { return self }
        let (left, top) = (x * other.width / size.width - 1, y * other.height / size.height - 1)
        let right = (maxX * other.width + size.width - 1) / size.width + 1
        let bottom = (maxY * other.height + size.height - 1) / size.height + 1
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top).intersection(PixelRect(other))
    }
}
