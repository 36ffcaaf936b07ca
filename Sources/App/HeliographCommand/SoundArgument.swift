internal import Heliograph

/// Parses the sound to share in the form that users write: off, system, mic, both.
enum SoundArgument {
    static func parse(_ text: String) -> SoundSharing? {
        switch text {
        case "mic": .microphone
        case "microphone": nil
        default: SoundSharing(rawValue: text)
        }
    }

    /// The codec of the sound for other programs; `nil` for off.
    static func format(_ text: String) -> SoundAttributes.Format? {
        switch text {
        case "aac": .aac
        case "opus": .opus
        case "pcm": .pcm
        default: nil
        }
    }
}
