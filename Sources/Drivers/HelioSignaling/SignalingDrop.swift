/// What `LocalSignalingService` refused, and why.
package enum SignalingDrop: String, CaseIterable, Hashable, Sendable {
    /// No HTTP, or too much of it.
    case malformedRequest = "malformed-request"
    /// It names another host than this one: somebody's name that was made to lead here (DNS rebinding), say.
    case foreignHost = "foreign-host"
    /// Another site's page, or no page at all, wants to talk.
    case foreignOrigin = "foreign-origin"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    /// To talk, but not by a WebSocket of RFC 6455.
    case badUpgrade = "bad-upgrade"
    /// A request took too long to come.
    case slowRequest = "slow-request"
    /// More requests at once than anybody needs.
    case tooManyRequests = "too-many-requests"
    /// What is sent is not taken.
    case unread
    /// All connections belong to who was let in.
    case tooManyConnections = "too-many-connections"
    /// A stranger that had to go for the next one.
    case madeRoom = "made-room"
    /// No TLS where TLS is spoken, or none that both know.
    case tlsFailed = "tls-failed"
    /// A frame that breaks RFC 6455.
    case malformedFrame = "malformed-frame"
    /// A frame without a mask, which no browser sends.
    case unmaskedFrame = "unmasked-frame"
    case binaryMessage = "binary-message"
    case oversizedMessage = "oversized-message"
    /// A text that is no UTF-8.
    case malformedText = "malformed-text"
    case tooManyMessages = "too-many-messages"
    /// Nobody answers there any more.
    case silent
}
