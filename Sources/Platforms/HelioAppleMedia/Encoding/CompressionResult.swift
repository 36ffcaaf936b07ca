/// What a compression session made of a picture.
package enum CompressionResult: Sendable {
    case coded(CodedSample)
    /// The session left the picture out, to keep to its bitrate or because it was late.
    case dropped
    case failed(SessionStatus)
}
