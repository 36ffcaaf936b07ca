package import HelioCore
package import HelioSession

/// An event about one viewer for the host's file-transfer handler.
package enum FileNews: Sendable {
    /// The viewer's transfer channel is open for files. Emitted instead of `FileTraffic.opened`.
    case opened(FileViewer)
    /// The viewer's permission to send and receive files has changed, as set for its paired device.
    case permitted(FilePermission)
    case traffic(FileTraffic)
}
