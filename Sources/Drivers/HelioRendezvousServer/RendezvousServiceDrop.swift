/// The reason why a `RendezvousService` refused a request or closed a connection, apart from those of its engine.
package enum RendezvousServiceDrop: String, CaseIterable, Hashable, Sendable {
    /// Input that is not HTTP, or is too long.
    case malformedRequest = "malformed-request"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    /// A request that names another server than this one: its signature would be meant for that one.
    case foreignHost = "foreign-host"
    /// A request for the devices' path that is not a valid WebSocket handshake (RFC 6455).
    case badUpgrade = "bad-upgrade"
    /// A request that took too long to arrive.
    case slowRequest = "slow-request"
    /// A TLS handshake or WebSocket after too many others in a short time, from one address or from all together.
    case tooFast = "too-fast"
    /// A connection after too many others of its address in a short time; it is closed as soon as it is accepted.
    case tooOften = "too-often"
    /// A pause in accepting, after too many connections of all addresses together in a short time.
    case acceptingPaused = "accepting-paused"
    /// A request after too many bytes of the page in a short time, for one address or for all together.
    case tooMuchAsked = "too-much-asked"
    case tooManyConnections = "too-many-connections"
    /// A device that does not read what is sent to it.
    case unread
    /// A failed TLS handshake.
    case tlsFailed = "tls-failed"
    /// A frame that breaks RFC 6455, or one without a mask.
    case malformedFrame = "malformed-frame"
    case oversizedMessage = "oversized-message"
    /// A text message, which the protocol does not have.
    case textMessage = "text-message"
    /// A device that no longer answers pings.
    case silent
    /// A file of the certificate that could not be read when it was looked at again.
    case certificateUnreadable = "certificate-unreadable"
    /// A change for the store while too many wait.
    case storeFull = "store-full"
    /// Changes that the store could not write.
    case storeFailed = "store-failed"
    /// A record for another instance, although this one is alone.
    case noBus = "no-bus"
    /// A message to or from another instance while too many wait.
    case busFull = "bus-full"
    /// A message to another instance that waited too long for the bus, or is longer than the bus takes.
    case busUnsent = "bus-unsent"
    /// A message of the bus that is longer than any of an instance.
    case busOversized = "bus-oversized"
}
