package import HelioCore

/// A property of a compression session, with its value (rows 87, 91, 140 and 141).
package enum CompressionProperty: Sendable, Hashable {
    /// True: the session doesn't look ahead.
    case realTime(Bool)
    /// False: pictures come out in the order in which they went in.
    case allowsReordering(Bool)
    case profile(CompressionProfile)
    /// Frames a second.
    case expectedRate(Int)
    /// Bits a second.
    case averageBitrate(Int)
    /// Bytes *and* seconds: one number alone is refused (defect 16).
    case dataRateLimit(EncoderPreset.DataRateLimit)
    /// The most frames from one keyframe to the next.
    case keyframeInterval(Int)
    case primaries(CompressionColor.Primaries)
    case transfer(CompressionColor.Transfer)
    case matrix(CompressionColor.Matrix)

    /// The properties that may change in a running session.
    static func rates(_ format: VideoFormat) -> [Self] {
        let bitrate = max(1, format.bitrate.bitsPerSecond)
        return [
            .expectedRate(max(1, format.framesPerSecond)),
            .averageBitrate(bitrate),
            .dataRateLimit(EncoderPreset.limit(ofAverage: bitrate)),
        ]
    }

    /// The properties of a new session, but for its profile.
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

    /// The property's name, for people.
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
