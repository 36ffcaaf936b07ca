/// A reason for which a host drops a viewer's data, or disconnects a viewer.
package enum HostDrop: String, Sendable, CaseIterable, Hashable {
    case unknownViewer = "unknown-viewer"
    /// Media on a signalling connection for which none were agreed on.
    case interleaved = "interleaved-media"
    case tooManyViewers = "too-many-viewers"
    /// Too many requests on a connection that was not admitted.
    case tooManyRequests = "too-many-requests"
    /// A connection whose peer does not read.
    case unread = "reads-nothing"
    /// A datagram of control for a connection whose peer does not read.
    case unreadControl = "control-not-read"
    /// A viewer that sent more messages about files than its credit allows.
    case floodedFiles = "floods-files"
}
