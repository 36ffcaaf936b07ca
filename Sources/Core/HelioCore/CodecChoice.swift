/// The choice of one of a machine's video encoders or decoders.
public enum CodecChoice: Sendable, Hashable {
    /// The best available codec. A hardware codec has to pass a test picture first.
    case automatic
    /// The best available software codec.
    case software
    /// The codec with this name, such as `x264` or `h264_vaapi`. No other codec is tried at the start; if this one
    /// fails later, a software codec replaces it.
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
