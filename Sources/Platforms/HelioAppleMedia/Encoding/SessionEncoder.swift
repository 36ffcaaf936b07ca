private import HelioBitstream
package import HelioCore

/// A video encoder that uses compression sessions (VideoToolbox's on Apple's systems) and emits each picture's access
/// unit as one slice.
///
/// These pictures are keyframes: the first one, each one for which a keyframe or a repair is requested, the first one
/// of a new session, and the first one after an unreadable sample. If a session is invalid, as after the app was in the
/// background, the picture is encoded again by a new session, once (requirement rows 74 and 147). Any other failure
/// ends the session and is thrown, and the next picture gets a new session. `patience` limits the wait for a picture.
///
/// If a picture was skipped, or its sample can't be read, and no other picture follows, the picture has to be encoded
/// once more. To achieve that, the encoder reports `refinementSteps` above 0, as if the picture were to be refined.
///
/// Damage is ignored, as VideoToolbox always encodes the whole picture.
package final class SessionEncoder<Sessions: CompressionSessions>: VideoEncoding {
    package typealias Picture = Sessions.Session.Picture

    /// The default patience: many times longer than hardware takes for a picture.
    package static var standardPatience: Duration { .milliseconds(500) }
    /// The keyframe interval with which keyframes are made on request only.
    package static var onRequestOnly: Int { Int(Int32.max) }
    /// The number of consecutive unreadable samples after which an error is thrown.
    private static var mostBroken: Int { 3 }
    /// The maximum number of times that a lost picture is requested again.
    private static var mostOwed: Int { 3 }

    package private(set) var format: VideoFormat
    /// Human-readable notes: the properties that the session refused, and deviations of the stream from its settings.
    package private(set) var notes: [String] = []
    /// The lost pictures and replaced sessions, counted by reason.
    package private(set) var losses = DropCounter<EncoderLoss>()
    /// The colour description in the session's own parameter sets, before its correction; `nil` before the first
    /// keyframe.
    package private(set) var toldColor: ColorDescription?

    private let start: SessionStart<Sessions>
    private let patience: Duration
    private let now: () -> Instant
    private var running: SessionStart<Sessions>.Started?
    private var frameIndex: UInt64 = 0
    private var needsKeyframe = true
    /// True if the last picture was lost, so that the receiver still has an older one.
    private var isOwed = false
    /// True if the last session used a hardware encoder.
    private var usesHardware = false
    private var brokenInARow = 0
    /// The parameter sets that are sent, with the corrected colour description. `toldSets` are the session's own,
    /// uncorrected ones.
    private var parameterSets: [[UInt8]] = []
    private var toldSets: [[UInt8]] = []
    private var lastTime: Instant?

    /// Starts the first session. Throws `encoderFailed` if none can be started, and `unsupported` for 4:4:4.
    ///
    /// - Parameters:
    ///   - keyframeInterval: the maximum number of frames between keyframes.
    ///   - patience: the longest wait for one picture.
    ///   - now: the clock of the pictures' capture times.
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

    /// True if the last session used a hardware encoder, even if it has just failed. False after a session and its
    /// replacement were both invalid, as that is not a failure of the hardware.
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
            // All are set, though one alone decides whether a new session is needed: each new one costs a keyframe.
            let taken = CompressionProperty.rates(new).filter { session.set($0) == .done }
            if taken.contains(where: \.decidesRate) {
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

    /// Returns the picture's time, increased if needed: sessions refuse a picture that isn't later than the previous
    /// one.
    private func time(after captured: Instant) -> Instant {
        let time = lastTime.map { max(captured, $0 + .microseconds(1)) } ?? captured
        lastTime = time
        return time
    }

    /// Encodes a picture; tries again with a new session if the present one is invalid.
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
        // With ordinary rate control an encoder may give a picture only with the next one, which may be long in coming.
        if running?.isLowLatency == false { _ = running?.session.complete(until: time) }
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

    /// Returns the access unit, with parameter sets first for a keyframe (requirement row 142); `nil` for a keyframe
    /// without known parameter sets.
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

    /// Handles a sample that can't be read: requires a keyframe, as later pictures may refer to this one. Throws after
    /// `mostBroken` consecutive ones.
    private func lose() throws(HelioError) {
        losses.count(.broken)
        needsKeyframe = true
        isOwed = true
        brokenInARow += 1
        guard brokenInARow >= Self.mostBroken else { return }
        brokenInARow = 0
        throw end(because: "gave \(Self.mostBroken) pictures in a row that can't be read")
    }

    /// Replaces the parameter sets within a keyframe's access unit by the corrected ones.
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

    /// Stores new parameter sets, and corrects their colour description if it differs from the session's settings
    /// (requirement row 90). The range is not changed, as the session knows the range of the pixels.
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
    /// The session skipped the picture.
    case dropped = "dropped-by-encoder"
    /// The picture's sample can't be read.
    case broken = "broken-sample"
    /// The session gave no result within the patience, and was ended.
    case late = "late-encoder"
    /// The session was invalid, and another one replaced it.
    case rebuilt = "rebuilt-encoder"
}
