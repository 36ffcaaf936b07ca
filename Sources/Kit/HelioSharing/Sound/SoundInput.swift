package import HelioCore

/// The origin of a source's sound; each origin is a stream of its own.
public enum SoundInput: String, Sendable, Hashable, CaseIterable, Codable {
    /// The sound that the source's machine plays.
    case system
    case microphone

    package init(_ origin: SoundOrigin) {
        self =
            switch origin {
            case .system: .system
            case .microphone: .microphone
            }
    }

    package var origin: SoundOrigin {
        switch self {
        case .system: .system
        case .microphone: .microphone
        }
    }
}
