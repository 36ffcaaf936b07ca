/// A reason for which a host threw something of its viewers away, or disconnected one.
package enum HostDrop: String, Sendable, CaseIterable, Hashable {
    case unknownViewer = "unknown-viewer"
    /// Media on the signalling connection, where none was agreed on.
    case interleaved = "interleaved-media"
    case tooManyViewers = "too-many-viewers"
    /// Too many requests on a connection that was not let in.
    case tooManyRequests = "too-many-requests"
    /// A connection whose peer took none of what was sent to it.
    case unread = "reads-nothing"
    /// A datagram of control for a connection whose peer takes none of what was sent to it.
    case unreadControl = "control-not-read"
    /// A viewer that sent more messages about files than it was given credit for.
    case floodedFiles = "floods-files"
}
