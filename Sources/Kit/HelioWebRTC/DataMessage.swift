/// What a data channel carries: the two kinds that browsers tell apart. Either may be empty.
public enum DataMessage: Sendable, Hashable {
    /// UTF-8; what is not is mended as `String` does.
    case text(String)
    /// Bytes.
    case binary([UInt8])
}
