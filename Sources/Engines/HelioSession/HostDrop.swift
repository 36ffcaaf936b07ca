/// What a host has thrown away of its viewers, and whom it put out for what.
package enum HostDrop: String, Sendable, CaseIterable, Hashable {
    case unknownViewer = "unknown-viewer"
    /// Media on the signalling connection, where none was agreed on.
    case interleaved = "interleaved-media"
    case tooManyViewers = "too-many-viewers"
    /// A connection that was not let in, and asked on and on.
    case tooManyRequests = "too-many-requests"
    /// A connection that took none of what was sent to it.
    case unread = "reads-nothing"
}
