/// The reason why a connection's bytes can't be parsed as RTSP. The connection has to be closed, as the rest can't be
/// parsed either.
package enum RTSPParseError: Error, Hashable, Sendable {
    case lineTooLong
    case tooManyHeaders
    /// Start line and headers together are too large.
    case headTooLarge
    case bodyTooLarge
    case malformedStartLine
    case malformedHeader
    /// `Content-Length` is not a number, or occurs twice.
    case badContentLength
    /// The version is not RTSP/1.0.
    case unsupportedVersion
}
