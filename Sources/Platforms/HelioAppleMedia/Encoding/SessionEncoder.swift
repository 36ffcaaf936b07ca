private import HelioBitstream
package import HelioCore

/// A video encoder by compression sessions, VideoToolbox's on Apple's systems: one picture in, its access unit out.
///
/// Keyframes come first, on request, after a new session, and after any loss. A session that is of no use any more, as
/// after the app was in the background, is replaced within the picture, once (rows 74 and 147); whatever else goes wrong
/// ends the session and is thrown, and the next picture has a new one. It never waits for a picture longer than its
/// patience.
///
/// What it gives has no damage told: the hardware codes the whole picture.
package final class SessionEncoder<Sessions: CompressionSessions>: VideoEncoding {
    package typealias Picture = Sessions.Session.Picture

    /// The patience that a picture has unless told otherwise: many times what hardware takes for one.
    package static var standardPatience: Duration { .milliseconds(500) }
    /// The keyframe interval for keyframes on request alone.
    package static var onRequestOnly: Int { Int(Int32.max) }
    /// The broken samples in a row after which an error is thrown.
    private static var mostBroken: Int { 3 }

    package private(set) var format: VideoFormat
    /// What the session did not take, and where the stream says something else than it was told to: sentences for people.
    package private(set) var notes: [String] = []
    /// What was lost on the way, by reason.
    package private(set) var losses = DropCounter<EncoderLoss>()
    /// The colour that the encoder's parameter sets say, before they are corrected; `nil` before the first keyframe.
    package private(set) var toldColor: ColorDescription?

    private let start: SessionStart<Sessions>
    private let patience: Duration
    private let now: () -> Instant
    private var running: SessionStart<Sessions>.Started?
    private var frameIndex: UInt64 = 0
    private var needsKeyframe = true
    private var brokenInARow = 0
    /// As the stream is to have them, and those that it has otherwise.
    private var parameterSets: [[UInt8]] = []
    private var toldSets: [[UInt8]] = []
    private var lastTime: Instant?

    /// Starts the first session. Throws `encoderFailed`, or `unsupported` for 4:4:4.
    ///
    /// - Parameters:
    ///   - keyframeInterval: the most frames from one keyframe to the next.
    ///   - patience: the most time to wait for one picture.
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

    package var isHardware: Bool { running?.session.isHardware ?? false }
    package var changesRatesInPlace: Bool { true }
    package var refinementSteps: Int { 0 }
    package var isSharp: Bool { true }
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
        case .dropped: losses.count(.dropped)
        case .failed(let status): throw end(because: "failed to code a picture: \(status)")
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
        notes = started.notes
        needsKeyframe = true
        parameterSets = []
        toldSets = []
        toldColor = nil
    }

    /// The error to throw, after which the next picture has a new session.
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

    /// Sessions refuse a picture that isn't later than the one before.
    private func time(after captured: Instant) -> Instant {
        let time = lastTime.map { max(captured, $0 + .microseconds(1)) } ?? captured
        lastTime = time
        return time
    }

    /// Has a picture coded, by a new session if the present one is of no use any more.
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
        if isKeyframe { needsKeyframe = false }
        var timing = timing
        timing.encoded = now()
        emit(
            EncodedSlice(
                frameIndex: frameIndex, annexB: unit, isFirst: true, isLast: true, isKeyframe: isKeyframe,
                timing: timing))
        frameIndex += 1
    }

    /// The access unit, a keyframe's with its parameter sets first (row 142); `nil` for a keyframe without any.
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

    /// A picture that can't be read, and on which later ones may build.
    private func lose() throws(HelioError) {
        losses.count(.broken)
        needsKeyframe = true
        brokenInARow += 1
        guard brokenInARow >= Self.mostBroken else { return }
        brokenInARow = 0
        throw end(because: "gave \(Self.mostBroken) pictures in a row that can't be read")
    }

    /// A keyframe that has its parameter sets already, with those that were corrected in place of its own.
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

    /// Reads what the parameter sets say of the colour, which may be anything, whatever the session was told (row 90), and
    /// corrects it. The range is as they say: it is that of the pixels, which the session knows.
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
