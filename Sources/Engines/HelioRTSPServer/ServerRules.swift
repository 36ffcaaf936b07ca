import HelioRTSP

/// The methods of an RTSP server, and its limits for one connection.
struct ServerRules: Sendable {
    /// The allowed methods, in the order of RFC 2326.
    var methods: [RTSPMethod]
    /// The known methods that are answered with 405; all others are answered with 501.
    var refusedMethods: [RTSPMethod]
    /// The session timeout, which is announced in the `Session` header.
    var timeout: Duration
    /// The maximum number of written bytes that the kernel has not accepted yet.
    var mostUnsent: Int
    /// The reason that is reported for a client that does not read its responses.
    var unreadReason: String
    /// The maximum number of unparsed bytes after a request that waits for its response.
    var mostWaiting: Int
    /// The status code for a message whose body is too long.
    var bodyTooLarge: RTSPStatus
    /// The drop reason for a connection beyond the connection limit.
    var full: ServerDrop

    /// The value of the headers `Public` and `Allow`.
    var methodList: String { methods.map(\.rawValue).joined(separator: ", ") }
}
