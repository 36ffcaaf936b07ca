internal import Heliograph

/// The sound to share as people write it: off, system, mic, both.
enum SoundArgument {
    static func parse(_ text: String) -> SoundSharing? {
        switch text {
        case "mic": .microphone
        case "microphone": nil
        default: SoundSharing(rawValue: text)
        }
    }

    /// The codec of sound for other programs; `nil` is off.
    static func format(_ text: String) -> SoundAttributes.Format? {
        switch text {
        case "aac": .aac
        case "opus": .opus
        case "pcm": .pcm
        default: nil
        }
    }
}
