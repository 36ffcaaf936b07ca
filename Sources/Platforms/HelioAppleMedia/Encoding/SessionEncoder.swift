private import HelioBitstream
package import HelioCore

/// A video encoder on compression sessions, VideoToolbox's on Apple's systems: one picture in, its access unit out.
///
/// A keyframe comes first, on request, after a new session, and after any loss. An invalid session, as after the app
/// was in the background, is replaced within the picture, once (rows 74 and 147); any other failure ends the session
/// and is thrown, and the next picture gets a new session. The encoder waits for a picture no longer than its patience.
///
/// A picture that was left out, or can't be read, is owed: if no other picture comes, it is requested again, like a
/// picture to be refined.
///
/// Damage is ignored: the hardware codes the whole picture.
package final class SessionEncoder<Sessions: CompressionSessions>: VideoEncoding {
    package typealias Picture = Sessions.Session.Picture

    /// The default patience: many times what hardware takes for a picture.
    package static var standardPatience: Duration { .milliseconds(500) }
    /// The keyframe interval for keyframes on request only.
    package static var onRequestOnly: Int { Int(Int32.max) }
    /// The broken samples in a row after which an error is thrown.
    private static var mostBroken: Int { 3 }
    /// The most times that an owed picture is requested again.
    private static var mostOwed: Int { 3 }

    package private(set) var format: VideoFormat
    /// The properties that the session refused, and deviations of the stream from its settings, in sentences for
    /// people.
    package private(set) var notes: [String] = []
    /// The losses, counted by reason.
    package private(set) var losses = DropCounter<EncoderLoss>()
    /// The colour in the session's own parameter sets, before it is corrected; `nil` before the first keyframe.
    package private(set) var toldColor: ColorDescription?

    private let start: SessionStart<Sessions>
    private let patience: Duration
    private let now: () -> Instant
    private var running: SessionStart<Sessions>.Started?
    private var frameIndex: UInt64 = 0
    private var needsKeyframe = true
    /// True if the last picture was lost: the receiver has an older one.
    private var isOwed = false
    /// True if the last session coded by hardware.
    private var usesHardware = false
    private var brokenInARow = 0
    /// The parameter sets as they are sent, with the corrected colour; `toldSets` are those that the session wrote.
    private var parameterSets: [[UInt8]] = []
    private var toldSets: [[UInt8]] = []
    private var lastTime: Instant?

    /// Starts the first session. Throws `encoderFailed`, or `unsupported` for 4:4:4.
    ///
    /// - Parameters:
    ///   - keyframeInterval: the most frames from one keyframe to the next.
    ///   - patience: the longest wait for one picture.
    ///   - now: the clock of the pictures' capture instants.
    package init(
        _ format: VideoFormat, sessions: Sessions, coder: CompressionSpecification.Coder = .best,
        keyframeInterval: Int = onRequestOnly, patience: Duration = standardPatience, now: @escaping () -> Instant
    ) throws(HelioError) {
        start = SessionStart(sessions: sessions, coder: coder, keyframeInterval: keyframeInterval)
        self.format = format
        self.patience = patience
        self.now = now
        begin(try start.start(format))
    }

    deinit { running?.session.invalidate() }

    /// True if the last session coded by hardware, even if it has just failed. False after a session and its
    /// replacement have become invalid: the cause is no failure of the hardware.
    package var isHardware: Bool { usesHardware }
    package var changesRatesInPlace: Bool { true }
    package var refinementSteps: Int { isOwed ? Self.mostOwed : 0 }
    package var isSharp: Bool { !isOwed }
    package var quality: CodedQuality? { nil }

    package var summary: String {
        let codec = format.codec == .h264 ? "H.264" : "H.265"
        let profile = running?.profile.map { ", \($0.rawValue)" } ?? ""
        let mode = running?.isLowLatency == true ? ", low latency" : ""
        return "VideoToolbox \(codec), \(isHardware ? "hardware" : "software")\(profile)\(mode)"
    }

    package func encode(
        _ picture: Picture, damage _: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        let size = start.sessions.size(of: picture)
        guard size == format.size else {
            throw HelioError(
                .invalidArgument, "A picture of \(size) went to an encoder that is set up for \(format.size).")
        }
        if let index = request.frameIndex { frameIndex = index }
        if request.keyframe || request.repairSince != nil { needsKeyframe = true }
        switch try result(of: picture, at: time(after: timing.captured)) {
        case .coded(let sample): try take(sample, timing, emit)
        case .dropped:
            losses.count(.dropped)
            isOwed = true
        case .failed(let status):
            if status == .invalidSession { usesHardware = false }
            throw end(because: "failed to code a picture: \(status)")
        }
    }

    package func reconfigure(_ new: VideoFormat) throws(HelioError) {
        var same = new
        same.bitrate = format.bitrate
        same.framesPerSecond = format.framesPerSecond
        if same == format, let session = running?.session {
            let isTaken = CompressionProperty.rates(new).allSatisfy { session.set($0) == .done }
            if isTaken {
                format = new
                return
            }
        }
        let fresh: SessionStart<Sessions>.Started
        do {
            fresh = try start.start(new)
        } catch {
            for rate in CompressionProperty.rates(format) { _ = running?.session.set(rate) }
            throw error
        }
        running?.session.invalidate()
        format = new
        begin(fresh)
    }

    // MARK: Sessions

    private func begin(_ started: SessionStart<Sessions>.Started) {
        running = started
        usesHardware = started.session.isHardware
        notes = started.notes
        needsKeyframe = true
        parameterSets = []
        toldSets = []
        toldColor = nil
    }

    /// Ends the session, and returns the error to throw; the next picture gets a new session.
    private func end(because reason: String) -> HelioError {
        abandon()
        return HelioError(.encoderFailed, "VideoToolbox \(reason); the encoder is started anew.")
    }

    private func abandon() {
        running?.session.invalidate()
        running = nil
        needsKeyframe = true
    }

    private func session() throws(HelioError) -> Sessions.Session {
        if let running { return running.session }
        let fresh = try start.start(format)
        begin(fresh)
        return fresh.session
    }

    /// Returns the picture's time: sessions refuse a picture that isn't later than the one before.
    private func time(after captured: Instant) -> Instant {
        let time = lastTime.map { max(captured, $0 + .microseconds(1)) } ?? captured
        lastTime = time
        return time
    }

    /// Codes a picture, by a new session if the present one has become invalid.
    private func result(of picture: Picture, at time: Instant) throws(HelioError) -> CompressionResult {
        let first = try attempt(picture, at: time)
        guard case .failed(.invalidSession) = first else { return first }
        losses.count(.rebuilt)
        abandon()
        return try attempt(picture, at: time)
    }

    private func attempt(_ picture: Picture, at time: Instant) throws(HelioError) -> CompressionResult {
        let reply = SessionReply<CompressionResult>()
        let status = try session().encode(picture, at: time, isKeyframe: needsKeyframe, reply: reply)
        guard status == .done else { return .failed(status) }
        if let result = reply.wait(atMost: patience) { return result }
        losses.count(.late)
        throw end(because: "gave nothing for a picture within \(patience)")
    }

    // MARK: Samples

    private func take(
        _ sample: CodedSample, _ timing: FrameTiming, _ emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        let isKeyframe = AnnexB.containsKeyframe(sample.annexB.span.bytes, codec: format.codec)
        if !sample.parameterSets.isEmpty, sample.parameterSets != toldSets { learn(sample.parameterSets) }
        guard sample.isWhole, let unit = unit(sample, isKeyframe: isKeyframe) else { return try lose() }
        brokenInARow = 0
        isOwed = false
        if isKeyframe { needsKeyframe = false }
        var timing = timing
        timing.encoded = now()
        emit(
            EncodedSlice(
                frameIndex: frameIndex, annexB: unit, isFirst: true, isLast: true, isKeyframe: isKeyframe,
                timing: timing))
        frameIndex += 1
    }

    /// Returns the access unit, a keyframe's with its parameter sets first (row 142); `nil` for a keyframe without any.
    private func unit(_ sample: CodedSample, isKeyframe: Bool) -> [UInt8]? {
        guard isKeyframe else { return sample.annexB }
        var cursor = AnnexB.Cursor()
        let first = cursor.next(in: sample.annexB.span.bytes)
        let header = first.map { sample.annexB[$0.lowerBound] } ?? 0
        if NALHeader.isParameterSet(header, codec: format.codec) { return corrected(sample.annexB) }
        guard !parameterSets.isEmpty else { return nil }
        var unit: [UInt8] = []
        unit.reserveCapacity(sample.annexB.count + parameterSets.reduce(0) { $0 + $1.count + 4 })
        for set in parameterSets { unit += AnnexB.startCode + set }
        return unit + sample.annexB
    }

    /// Handles a sample that can't be read: later pictures may refer to it, so a keyframe is needed. Throws after
    /// `mostBroken` in a row.
    private func lose() throws(HelioError) {
        losses.count(.broken)
        needsKeyframe = true
        isOwed = true
        brokenInARow += 1
        guard brokenInARow >= Self.mostBroken else { return }
        brokenInARow = 0
        throw end(because: "gave \(Self.mostBroken) pictures in a row that can't be read")
    }

    /// Replaces the parameter sets inside a keyframe by the corrected ones.
    private func corrected(_ unit: [UInt8]) -> [UInt8] {
        guard toldSets != parameterSets else { return unit }
        var result: [UInt8] = []
        result.reserveCapacity(unit.count + 16)
        for range in AnnexB.nalUnits(in: unit.span.bytes) {
            let index = toldSets.firstIndex { $0.elementsEqual(unit[range]) }
            result += AnnexB.startCode
            if let index { result += parameterSets[index] } else { result += unit[range] }
        }
        return result
    }

    /// Reads the colour in the parameter sets, which may differ from the session's settings (row 90), and corrects it.
    /// The range is left as it is: it is that of the pixels, which the session knows.
    private func learn(_ sets: [[UInt8]]) {
        toldSets = sets
        parameterSets = sets.map { set in
            guard let color = color(of: set) else { return set }
            toldColor = color
            if color == format.color || format.color == .unspecified { return set }
            var wanted = format.color
            wanted.isFullRange = color.isFullRange
            let replaced = SequenceColor.replacing(in: set.span.bytes, codec: format.codec, by: wanted)
            let fate = replaced == nil ? "; it can't be corrected" : wanted == color ? "" : "; it is corrected"
            let note = "The encoder says \(Self.text(color)) of its colours, and was to say \(Self.text(format.color))"
            if !notes.contains(note + fate + ".") { notes.append(note + fate + ".") }
            return replaced ?? set
        }
    }

    private func color(of set: [UInt8]) -> ColorDescription? {
        switch format.codec {
        case .h264: H264SequenceParameters.parse(nal: set.span.bytes)?.color
        case .h265: H265SequenceParameters.parse(nal: set.span.bytes)?.color
        }
    }

    private static func text(_ color: ColorDescription) -> String {
        let range = color.isFullRange ? "full" : "limited"
        return "\(color.primaries)/\(color.transfer)/\(color.matrix) \(range)"
    }
}

/// The reason why `SessionEncoder` lost a picture, or replaced its session.
package enum EncoderLoss: String, Sendable, Hashable, CaseIterable {
    /// The session left the picture out.
    case dropped = "dropped-by-encoder"
    /// The sample that came for the picture can't be read.
    case broken = "broken-sample"
    /// Nothing came within the time allowed; the session was ended.
    case late = "late-encoder"
    /// The session had become invalid, and another one took its place.
    case rebuilt = "rebuilt-encoder"
}
