/// The result of coding a picture in a compression session.
package enum CompressionResult: Sendable {
    case coded(CodedSample)
    /// The session skipped the picture, to hold its bitrate or because it was late.
    case dropped
    case failed(SessionStatus)
}
