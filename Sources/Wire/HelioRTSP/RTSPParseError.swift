/// Why a connection's bytes are no RTSP. Nothing after it can be read: close the connection.
package enum RTSPParseError: Error, Hashable, Sendable {
    case lineTooLong
    case tooManyHeaders
    /// Start line and headers together.
    case headTooLarge
    case bodyTooLarge
    case malformedStartLine
    case malformedHeader
    /// `Content-Length` is no number, or is there twice.
    case badContentLength
    /// Not RTSP/1.0.
    case unsupportedVersion
}
