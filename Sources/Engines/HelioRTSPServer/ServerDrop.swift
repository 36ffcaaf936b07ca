/// The reason for dropping data or a connection at an RTSP server.
enum ServerDrop: String, Sendable, CaseIterable, Hashable {
    /// A connection beyond the connection limit of the play server.
    case tooManyPlayers = "too-many-players"
    /// A connection beyond the connection limit of the record server.
    case tooManyConnections = "too-many-connections"
    /// Too many requests on a connection that was not admitted.
    case tooManyRequests = "too-many-requests"
    /// A connection whose client does not read the data sent to it.
    case unread
    /// RTCP reports that match no outgoing stream.
    case unknownReports = "unknown-reports"
    /// Media from a sender that is not the publisher.
    case foreignMedia = "foreign-media"
    /// A datagram longer than the driver's limit.
    case truncated
}
