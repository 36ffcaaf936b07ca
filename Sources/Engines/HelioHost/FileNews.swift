package import HelioCore
package import HelioSession

/// What whoever has the files hears of a host's viewer.
package enum FileNews: Sendable {
    /// Files may go to it and come of it from now on. Stands for `FileTraffic.opened`.
    case opened(FileViewer)
    /// It is permitted something else.
    case permitted(FilePermission)
    case traffic(FileTraffic)
}
