internal import Heliograph

/// Parses the sound to share in the form that users write: `off`, `system`, `mic` or `both`; `nil` for any other text.
enum SoundArgument {
    static func parse(_ text: String) -> SoundSharing? {
        switch text {
        case "mic": .microphone
        case "microphone": nil
        default: SoundSharing(rawValue: text)
        }
    }

    /// Parses the sound codec for third-party programs; `nil` for `off`.
    static func format(_ text: String) -> SoundAttributes.Format? {
        switch text {
        case "aac": .aac
        case "opus": .opus
        case "pcm": .pcm
        default: nil
        }
    }
}
