/// The reason why `LocalSignalingService` refused a request or closed a connection.
package enum SignalingDrop: String, CaseIterable, Hashable, Sendable {
    /// Input that is not HTTP, or is too long.
    case malformedRequest = "malformed-request"
    /// A request that names another host than this one, such as a foreign name that resolves to this machine (DNS
    /// rebinding).
    case foreignHost = "foreign-host"
    /// A WebSocket request of another site's page, or of no page at all.
    case foreignOrigin = "foreign-origin"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    /// A request for the signalling path that is not a valid WebSocket handshake (RFC 6455).
    case badUpgrade = "bad-upgrade"
    /// A request that took too long to arrive.
    case slowRequest = "slow-request"
    /// A request beyond the number that any browser needs at once.
    case tooManyRequests = "too-many-requests"
    /// A TLS handshake or WebSocket after too many others in a short time, from one address or from all together.
    case tooFast = "too-fast"
    /// A connection after too many others of its address in a short time; it is closed as soon as it is accepted.
    case tooOften = "too-often"
    /// A pause in accepting, after too many connections of all addresses together in a short time.
    case acceptingPaused = "accepting-paused"
    /// A request after too many bytes of pages in a short time, for one address or for all together.
    case tooMuchAsked = "too-much-asked"
    /// A client that does not read the bytes sent to it.
    case unread
    /// All connections belong to admitted clients.
    case tooManyConnections = "too-many-connections"
    /// A client without admission, evicted for a new connection.
    case madeRoom = "made-room"
    /// A failed TLS handshake: the client does not use TLS although it is required, or has no TLS version or cipher in
    /// common.
    case tlsFailed = "tls-failed"
    /// A frame that breaks RFC 6455.
    case malformedFrame = "malformed-frame"
    /// A frame without a mask, which no browser sends.
    case unmaskedFrame = "unmasked-frame"
    case binaryMessage = "binary-message"
    case oversizedMessage = "oversized-message"
    /// A text that is not UTF-8.
    case malformedText = "malformed-text"
    case tooManyMessages = "too-many-messages"
    /// A client that no longer answers pings.
    case silent
}
