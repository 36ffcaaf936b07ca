/// What codes or decodes video, of what a machine has.
public enum CodecChoice: Sendable, Hashable {
    /// What is best there. Hardware only where it has coded, or decoded, a test picture.
    case automatic
    /// No hardware.
    case software
    /// This one, as `heliograph share --list` calls it, and none else to begin with.
    case named(String)

    /// As a person writes it: `auto`, `software`, or a name.
    public init(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "software": self = .software
        default: self = .named(text)
        }
    }
}
