package import HelioCore

/// A compression session: the calls of a `VTCompressionSession` that `SessionEncoder` needs.
///
/// All calls come from one thread at a time.
package protocol CompressionSession<Picture>: AnyObject {
    associatedtype Picture

    /// True if a hardware encoder is used.
    var isHardware: Bool { get }

    /// Sets a property; callable before and between pictures.
    func set(_ property: CompressionProperty) -> SessionStatus

    /// Submits a picture, without a copy.
    ///
    /// - Parameters:
    ///   - time: the capture time, which must be later than the previous picture's.
    ///   - reply: gets the result once, on any thread, during the call or later; gets nothing if the call fails.
    func encode(
        _ picture: Picture, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus

    /// Waits until the session has given the results of all pictures up to this time, also if it would give a picture
    /// only with the next one.
    func complete(until time: Instant) -> SessionStatus

    /// Ends the session. Only `invalidate` may be called afterwards.
    func invalidate()
}

/// Makes compression sessions: of VideoToolbox, or for tests.
package protocol CompressionSessions<Session> {
    associatedtype Session: CompressionSession

    func makeSession(_ specification: CompressionSpecification) -> Result<Session, SessionFailure>
    /// Returns the size of a picture in pixels, read from its buffer.
    func size(of picture: Session.Picture) -> PixelSize
}

/// The properties of a compression session that are fixed when it is made.
package struct CompressionSpecification: Sendable, Hashable {
    /// The kind of encoder that is requested of VideoToolbox.
    package enum Coder: Sendable, Hashable {
        /// Hardware if there is any, otherwise software.
        case best
        /// Hardware; making the session fails if there is none.
        case hardware
        case software
    }

    package var codec: VideoCodec
    package var size: PixelSize
    /// True for low-latency rate control: no look-ahead, no reordering, and keyframes on request only.
    package var isLowLatency: Bool
    package var coder: Coder

    package init(codec: VideoCodec, size: PixelSize, isLowLatency: Bool, coder: Coder) {
        self.codec = codec
        self.size = size
        self.isLowLatency = isLowLatency
        self.coder = coder
    }
}

/// A property of a compression session, with its value (requirement rows 87, 91, 140 and 141).
package enum CompressionProperty: Sendable, Hashable {
    /// `true` means that the session has no look-ahead.
    case realTime(Bool)
    /// `false` means that pictures are output in the order of their input.
    case allowsReordering(Bool)
    case profile(CompressionProfile)
    /// The frame rate, in frames per second.
    case expectedRate(Int)
    /// The average bitrate, in bits per second.
    case averageBitrate(Int)
    /// The maximum bytes in a time window: VideoToolbox requires both bytes and seconds (requirements, defect 16).
    case dataRateLimit(EncoderPreset.DataRateLimit)
    /// The maximum number of frames between keyframes.
    case keyframeInterval(Int)
    case primaries(CompressionColor.Primaries)
    case transfer(CompressionColor.Transfer)
    case matrix(CompressionColor.Matrix)

    /// True if a new rate takes effect only by this property. An encoder that refuses the others still obeys it: several
    /// of Apple's, such as low-latency H.265 ones, have refused `DataRateLimits`.
    var decidesRate: Bool { if case .averageBitrate = self { true } else { false } }

    /// Returns the properties that may change in a running session.
    static func rates(_ format: VideoFormat) -> [Self] {
        let bitrate = max(1, format.bitrate.bitsPerSecond)
        return [
            .expectedRate(max(1, format.framesPerSecond)),
            .averageBitrate(bitrate),
            .dataRateLimit(EncoderPreset.limit(ofAverage: bitrate)),
        ]
    }

    /// Returns all properties to set on a new session, except the profile.
    static func all(_ format: VideoFormat, keyframeInterval: Int) -> [Self] {
        var list: [Self] = [.realTime(true), .allowsReordering(false), .keyframeInterval(max(1, keyframeInterval))]
        list += rates(format)
        if let primaries = CompressionColor.Primaries(rawValue: format.color.primaries) {
            list.append(.primaries(primaries))
        }
        if let transfer = CompressionColor.Transfer(rawValue: format.color.transfer) {
            list.append(.transfer(transfer))
        }
        if let matrix = CompressionColor.Matrix(rawValue: format.color.matrix) { list.append(.matrix(matrix)) }
        return list
    }

    /// The property's human-readable name.
    var name: String {
        switch self {
        case .realTime: "real time"
        case .allowsReordering: "no reordering"
        case .profile(let profile): "profile \(profile.rawValue)"
        case .expectedRate: "expected frame rate"
        case .averageBitrate: "average bitrate"
        case .dataRateLimit: "data rate limit"
        case .keyframeInterval: "keyframe interval"
        case .primaries: "colour primaries"
        case .transfer: "colour transfer"
        case .matrix: "colour matrix"
        }
    }
}

/// A profile to request of a compression session, which then chooses the level (requirement row 87, defect 11).
package enum CompressionProfile: String, Sendable, Hashable, CaseIterable {
    case h264ConstrainedHigh = "Constrained High"
    case h264ConstrainedBaseline = "Constrained Baseline"
    case h264Main = "Main"
    case h264Baseline = "Baseline"
    case h265Main = "H.265 Main"

    /// Returns the profiles to try, best first.
    ///
    /// Apple documents low-latency rate control only for Constrained High and Constrained Baseline; without it, Main
    /// and Baseline are requested.
    ///
    /// - Parameter forced: a requested `profile_idc`, which restricts the result to profiles of that value. If no
    ///   profile has that value, the result is empty for low latency, and otherwise has all profiles. `nil`, or an
    ///   unknown value, restricts nothing.
    package static func choices(_ codec: VideoCodec, lowLatency: Bool, forced: UInt8?) -> [Self] {
        if codec == .h265 { return [.h265Main] }
        let all: [Self] = lowLatency ? [.h264ConstrainedHigh, .h264ConstrainedBaseline] : [.h264Main, .h264Baseline]
        let known = allCases.filter { $0 != .h265Main }
        guard let forced, known.contains(where: { $0.indication == forced }) else { return all }
        let fitting = all.filter { $0.indication == forced }
        return fitting.isEmpty && !lowLatency ? all : fitting
    }

    /// The profile's `profile_idc` (ITU-T H.264 section A.2) or `general_profile_idc` (H.265 section A.3).
    var indication: UInt8 {
        switch self {
        case .h264ConstrainedHigh: 100
        case .h264ConstrainedBaseline, .h264Baseline: 66
        case .h264Main: 77
        case .h265Main: 1
        }
    }
}

/// The colour properties that a compression session can write into the stream, by the code points of ITU-T H.273
/// (requirement rows 90 and 91, defect 14). The range can't be set, as it follows from the pixel format.
package enum CompressionColor {
    package enum Primaries: UInt8, Sendable, Hashable {
        case bt709 = 1
        case smpteC = 6
    }

    package enum Transfer: UInt8, Sendable, Hashable {
        case bt709 = 1
        case sRGB = 13
    }

    package enum Matrix: UInt8, Sendable, Hashable {
        case bt709 = 1
        case bt601 = 6
    }
}

/// The result of coding a picture in a compression session.
package enum CompressionResult: Sendable {
    case coded(CodedSample)
    /// The session skipped the picture, to keep its bitrate or because the picture was late.
    case dropped
    case failed(SessionStatus)
}
