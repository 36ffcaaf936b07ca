package import HelioCore
package import HelioSession

/// An event about one viewer for the host's file-transfer handler.
package enum FileNews: Sendable {
    /// The viewer's transfer channel is open for files. Emitted instead of `FileTraffic.opened`.
    case opened(FileViewer)
    /// The viewer's present permission to send files to the host; reported after the list of paired devices has
    /// changed.
    case permitted(FilePermission)
    case traffic(FileTraffic)
}
