/// The reason why `LocalSignalingService` refused a request or closed a connection.
package enum SignalingDrop: String, CaseIterable, Hashable, Sendable {
    /// Input that is not HTTP, or is too long.
    case malformedRequest = "malformed-request"
    /// A request that names another host than this one, such as a foreign name that leads here (DNS rebinding).
    case foreignHost = "foreign-host"
    /// A WebSocket request of another site's page, or of no page at all.
    case foreignOrigin = "foreign-origin"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    /// A request for the signalling path that is not a valid WebSocket handshake (RFC 6455).
    case badUpgrade = "bad-upgrade"
    /// A request that took too long to arrive.
    case slowRequest = "slow-request"
    /// More requests at once than any browser needs.
    case tooManyRequests = "too-many-requests"
    /// Too many TLS handshakes or WebSockets in a short time, from one address or from all together.
    case tooFast = "too-fast"
    /// Too many connections of one address in a short time: closed as soon as accepted.
    case tooOften = "too-often"
    /// Too many connections in a short time, of all addresses together: nothing was accepted for a while. Counts pauses.
    case acceptingPaused = "accepting-paused"
    /// Too many bytes of pages in a short time, for one address or for all together.
    case tooMuchAsked = "too-much-asked"
    /// A client that does not read what is sent.
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
