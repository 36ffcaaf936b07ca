/// An error of parsing a connection's bytes as RTSP. Nothing after it can be read: close the connection.
package enum RTSPParseError: Error, Hashable, Sendable {
    case lineTooLong
    case tooManyHeaders
    /// Start line and headers together are too large.
    case headTooLarge
    case bodyTooLarge
    case malformedStartLine
    case malformedHeader
    /// `Content-Length` is no number, or is there twice.
    case badContentLength
    /// The version is not RTSP/1.0.
    case unsupportedVersion
}
