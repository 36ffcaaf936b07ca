internal import HelioCore
internal import HelioSharing

/// The kinds of sound that a source shares.
public enum SoundSharing: String, Sendable, Hashable, CaseIterable {
    /// No sound, neither the machine's nor a microphone's.
    case off
    /// The sound that the machine plays.
    case system
    /// The sound of a microphone: the default one, unless another is chosen by name.
    case microphone
    /// The sound that the machine plays and the sound of a microphone, as two streams.
    case both

    var origins: [SoundOrigin] {
        switch self {
        case .off: []
        case .system: [.system]
        case .microphone: [.microphone]
        case .both: [.system, .microphone]
        }
    }
}

extension SoundAttributes.Format {
    /// The encoder settings for this codec, when the sound is sent to other programs' players and servers.
    var streamed: SoundEncode {
        switch self {
        case .pcm: return .pcm
        case .opus:
            // Third-party players have long buffers, so longer packets add no noticeable latency.
            var encode = SoundEncode.thinOpus
            encode.bitrate = 128_000
            return encode
        case .aac: return .aac
        }
    }
}
