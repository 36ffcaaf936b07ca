/// A reason for which a server of ours throws something away, or disconnects a client, by name.
enum ServerDrop: String, Sendable, CaseIterable, Hashable {
    /// A connection beyond the limit of the server that others play from.
    case tooManyPlayers = "too-many-players"
    /// A connection beyond the limit of the server that others record to.
    case tooManyConnections = "too-many-connections"
    /// Too many requests on a connection that was not let in.
    case tooManyRequests = "too-many-requests"
    /// A connection whose peer took none of what it asked for.
    case unread
    /// Reports on no stream that is sent.
    case unknownReports = "unknown-reports"
    /// Media of no client that records.
    case foreignMedia = "foreign-media"
    /// A datagram longer than the driver takes.
    case truncated
}
