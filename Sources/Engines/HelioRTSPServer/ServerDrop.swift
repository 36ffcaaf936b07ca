/// What a server of ours throws away, or whom it puts out, by name.
enum ServerDrop: String, Sendable, CaseIterable, Hashable {
    /// One more than the server takes that is played from.
    case tooManyPlayers = "too-many-players"
    /// The same of the one that is recorded to.
    case tooManyConnections = "too-many-connections"
    /// A connection that was not let in, and asked on and on.
    case tooManyRequests = "too-many-requests"
    /// A connection that took none of what it asked for.
    case unread
    /// Reports on no stream that is sent.
    case unknownReports = "unknown-reports"
    /// Media of nobody who records.
    case foreignMedia = "foreign-media"
    /// A datagram that was longer than the driver takes.
    case truncated
}
