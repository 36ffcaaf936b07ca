/// The choice of a video encoder or decoder among those of a machine.
public enum CodecChoice: Sendable, Hashable {
    /// The best there is. Hardware only if it has coded, or decoded, a test picture.
    case automatic
    /// Software only.
    case software
    /// The one of this name, as `heliograph share --list` gives it, and no other to begin with.
    case named(String)

    /// Reads the choice as a person writes it: `auto`, `software`, or a name.
    public init(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "software": self = .software
        default: self = .named(text)
        }
    }
}
