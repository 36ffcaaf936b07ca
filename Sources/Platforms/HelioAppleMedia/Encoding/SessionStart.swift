internal import HelioCore

/// Starts compression sessions: tries rate control modes and profiles in turn until the session accepts one, and sets
/// all other properties (requirements, defect 11).
struct SessionStart<Sessions: CompressionSessions> {
    struct Started {
        var session: Sessions.Session
        var isLowLatency: Bool
        /// The requested profile; `nil` if the session accepted none, and has chosen one itself.
        var profile: CompressionProfile?
        /// Human-readable notes about properties that the session refused.
        var notes: [String]
    }

    let sessions: Sessions
    let coder: CompressionSpecification.Coder
    let keyframeInterval: Int

    /// Throws `encoderFailed` if no session can be started, and `unsupported` for 4:4:4.
    func start(_ format: VideoFormat) throws(HelioError) -> Started {
        guard format.chroma == .yuv420 else {
            throw HelioError(.unsupported, "VideoToolbox codes 4:2:0 only here.")
        }
        var failure = SessionStatus.noCoder
        for isLowLatency in [true, false] {
            let choices = CompressionProfile.choices(format.codec, lowLatency: isLowLatency, forced: format.profile)
            if choices.isEmpty { continue }
            let specification = CompressionSpecification(
                codec: format.codec, size: format.size, isLowLatency: isLowLatency, coder: coder)
            switch sessions.makeSession(specification) {
            case .failure(let refused): failure = refused.status
            case .success(let session):
                let profile = choices.first { session.set(.profile($0)) == .done }
                if profile != nil || !isLowLatency {
                    return configured(session, format, isLowLatency: isLowLatency, profile: profile)
                }
                session.invalidate()
            }
        }
        throw HelioError(
            .encoderFailed,
            "VideoToolbox starts no \(format.codec.encodingName) encoder for \(format.size): \(failure).")
    }

    private func configured(
        _ session: Sessions.Session, _ format: VideoFormat, isLowLatency: Bool, profile: CompressionProfile?
    ) -> Started {
        var notes: [String] = []
        if !isLowLatency { notes.append("Low-latency rate control is not to be had.") }
        if profile == nil { notes.append("No profile was taken: the encoder chooses.") }
        for property in CompressionProperty.all(format, keyframeInterval: keyframeInterval) {
            let status = session.set(property)
            if status != .done { notes.append("The encoder did not take the \(property.name): \(status).") }
        }
        return Started(session: session, isLowLatency: isLowLatency, profile: profile, notes: notes)
    }
}
