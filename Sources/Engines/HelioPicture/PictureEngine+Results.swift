package import HelioCore

/// Handling of steps' results, and of encoders that fail or refuse a format.
extension PictureEngine {
    /// Handles the result of the last step that `next` returned.
    ///
    /// - Parameter state: the state of an encoding's encoder after the step; `nil` if it has none.
    package mutating func handle(_ result: PictureResult, now: Instant, _ state: (EncodingID) -> EncoderState?) {
        guard let (id, purpose) = open else { return }
        open = nil
        let state = state(id) ?? EncoderState()
        switch (purpose, result) {
        case (.monitor, .failed(let error)):
            // The monitor was unplugged after a viewer had chosen it.
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
        case (.encoding(let shot), .coded(let picture)): coded(picture, shot, of: id, state, now: now)
        case (.picture, .failed(let error)), (.capture, .failed(let error)):
            if id == .main { agenda.append(.fail(error)) } else { loseSecond(error) }
        case (.encoding(let shot), .failed(let error)): failed(error, shot, of: id, state, now: now)
        case (.keyframe, .failed(let error)): failed(error, nil, of: id, state, now: now)
        default: preconditionFailure("a result of another step")
        }
        if id == .second, let began = secondBegan { second?.cost = now - began }
    }

    mutating func remakePicture(of id: EncodingID) {
        let size = screen.size
        edit(id) { $0.madePicture(size) }
    }

    mutating func take(
        _ captured: Captured?, of id: EncodingID, _ extent: CaptureExtent?, damaged: Instant, now: Instant
    ) {
        guard let taken = edit(id, { $0.take(captured, of: extent, now: now) }) ?? nil else { return }
        if captured == nil || extent == nil {
            let isRepair = edit(id) { captured == nil ? !$0.needsKeyframe : !$0.follows } ?? false
            shot = (id, Shot(captured: taken, damaged: damaged, kind: .owed(isRepair: isRepair)))
            return
        }
        if id == .main { second?.note(taken.damage, of: main.coded.size, screen: screen.size, now: now) }
        let isSmall = edit(id) { $0.isSmall(taken) } ?? false
        shot = (id, Shot(captured: taken, damaged: min(damaged, taken.captured), kind: .live(isSmall: isSmall)))
    }

    mutating func coded(
        _ picture: CodedPicture, _ shot: Shot, of id: EncodingID, _ state: EncoderState, now: Instant
    ) {
        let isPicture =
            edit(id) { $0.take(picture, shot.captured, refinement: shot.refinement, state, now: now) } ?? false
        follow(shot, bytes: isPicture ? picture.bytes : 0, of: id, state, now: now)
    }

    /// Updates refinement and adaptation after a picture was encoded, or failed to be.
    mutating func follow(_ shot: Shot, bytes: Int, of id: EncodingID, _ state: EncoderState, now: Instant) {
        let captured = shot.captured.captured
        switch shot.kind {
        case .live(let isSmall):
            edit(id) { encode in
                encode.planner.steps = state.refinementSteps
                encode.planner.changed(at: captured, isSmall: isSmall)
                encode.adapt(now: captured)
            }
            if id == .main { mayHaveShortage = true }
        case .owed(let isRepair):
            if isRepair { edit(id) { $0.planner.changed(at: captured) } }
        case .refinement(let step):
            edit(id) { encode in
                encode.planner.refined(step: step, at: now, bytes: bytes)
                if state.isSharp { encode.planner.finish() }
            }
            // A refinement without output makes the next refinement due at once. Wait first, so that a change made
            // meanwhile is captured before it.
            yields = bytes == 0
        case .again: break
        }
    }

    // MARK: Encoders that fail or refuse

    /// Replaces the main encoder, or ends the second encoding.
    ///
    /// - Parameter shot: the picture that could not be encoded; `nil` for a keyframe encoded in parallel.
    mutating func failed(
        _ error: HelioError, _ shot: Shot?, of id: EncodingID, _ state: EncoderState, now: Instant
    ) {
        guard id == .main else { return loseSecond(error) }
        if shot != nil { main.frameIndex += 1 }
        tell(.trouble(.failed))
        let isHardware = main.traits.isHardware
        if !isHardware {
            main.failures += 1
            if main.failures >= Self.failuresTolerated { return agenda.append(.fail(error)) }
            note("The encoder failed (\(error.message)); it was started again.")
        }
        main.replaceEncoder(.failure(error))
        if let shot { follow(shot, bytes: 0, of: id, state, now: now) }
        yields = false
    }

    mutating func refused(_ error: HelioError, by id: EncodingID) {
        guard id == .main else { return loseSecond(error) }
        tell(.trouble(.refused))
        main.replaceEncoder(.refusal(error))
    }

    mutating func made(_ traits: EncoderTraits, of id: EncodingID) {
        let cause = edit(id) { $0.need?.cause } ?? nil
        let before = edit(id) { $0.madeEncoder(traits) } ?? nil
        if id == .main, let cause { tellEncoder(cause, insteadOf: before) }
        tellFormat(of: id)
    }

    mutating func tellEncoder(_ cause: Encode.Cause, insteadOf before: String?) {
        let isOther: Bool
        switch cause {
        case .refusal(let error), .failure(let error):
            isOther = before != nil
            if let before { note("\(before) failed (\(error.message)); \(main.traits.summary) codes from now on.") }
        case .agreement, .start: isOther = true
        }
        if isOther { tell(.encoder(main.coded.codec, isHardware: main.traits.isHardware)) }
    }

    mutating func canNotMake(_ error: HelioError, of id: EncodingID) {
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
}
