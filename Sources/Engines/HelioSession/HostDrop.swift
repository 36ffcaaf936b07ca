/// A reason for which a host drops a viewer's data, or disconnects a viewer.
package enum HostDrop: String, Sendable, CaseIterable, Hashable {
    case unknownViewer = "unknown-viewer"
    /// Interleaved media on a signalling connection without an agreement on them.
    case interleaved = "interleaved-media"
    case tooManyViewers = "too-many-viewers"
    /// A connection with too many requests before its admission.
    case tooManyRequests = "too-many-requests"
    /// A connection whose peer does not read.
    case unread = "reads-nothing"
    /// A control datagram for a connection whose peer does not read.
    case unreadControl = "control-not-read"
    /// A viewer that sent more file-transfer messages than its credit allows.
    case floodedFiles = "floods-files"
}
