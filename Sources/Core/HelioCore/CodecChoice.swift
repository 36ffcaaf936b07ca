/// The choice of one of a machine's video encoders or decoders.
public enum CodecChoice: Sendable, Hashable {
    /// The best available codec. A hardware codec has to pass a test picture first.
    case automatic
    /// Software only.
    case software
    /// The codec with this name, from the list of `heliograph share --list`. No other is tried at the start; software
    /// replaces it if it fails later.
    case named(String)

    /// Parses the choice from text: `auto`, `software`, or a name.
    public init(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "software": self = .software
        default: self = .named(text)
        }
    }
}
