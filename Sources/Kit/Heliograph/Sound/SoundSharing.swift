internal import HelioCore
internal import HelioViewing

/// The sound that is shared.
public enum SoundSharing: String, Sendable, Hashable, CaseIterable {
    /// None.
    case off
    /// What the machine plays.
    case system
    /// What a microphone hears.
    case microphone
    /// Both, as two streams.
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
    /// The encode of the codec for other programs' players and servers.
    var streamed: SoundEncode {
        switch self {
        case .pcm: return .pcm
        case .opus:
            // Their buffers are long: so may packets be.
            var encode = SoundEncode.thinOpus
            encode.bitrate = 128_000
            return encode
        case .aac: return .aac
        }
    }
}
