/// A message of a data channel: text or bytes, the two kinds that browsers tell apart. Either may be empty.
public enum DataMessage: Sendable, Hashable {
    /// Text in UTF-8; received bytes that are not valid are repaired as `String` does.
    case text(String)
    /// A message of bytes.
    case binary([UInt8])
}
