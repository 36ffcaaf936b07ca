/// The reason why a server of ours drops data or disconnects a client, by name.
enum ServerDrop: String, Sendable, CaseIterable, Hashable {
    /// A connection beyond the limit of the server that others play from.
    case tooManyPlayers = "too-many-players"
    /// A connection beyond the limit of the server that others record to.
    case tooManyConnections = "too-many-connections"
    /// Too many requests on a connection that was not admitted.
    case tooManyRequests = "too-many-requests"
    /// A connection whose client did not read what was sent to it.
    case unread
    /// Reports on a stream that is not sent.
    case unknownReports = "unknown-reports"
    /// Media from another sender than the client that records.
    case foreignMedia = "foreign-media"
    /// A datagram longer than the driver's limit.
    case truncated
}
