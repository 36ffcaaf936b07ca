/// An error of parsing a connection's bytes as RTSP. The connection has to be closed, as nothing after it can be
/// parsed.
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
