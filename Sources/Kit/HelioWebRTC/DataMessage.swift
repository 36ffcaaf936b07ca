/// A message of a data channel: text or binary, the two message types of WebRTC. A message may be empty.
public enum DataMessage: Sendable, Hashable {
    /// Text in UTF-8; invalid bytes from the peer are replaced by U+FFFD.
    case text(String)
    /// A message of bytes.
    case binary([UInt8])
}
