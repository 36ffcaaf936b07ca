private import Foundation
package import HelioCore

/// How files go between the two ends of a session: each end sends what its person chooses, and takes what its person
/// accepts.
///
/// What comes lies in one folder. Names are cleaned, nothing that is there is overwritten, and nothing that comes can be
/// run. A file has its name once it is whole, and its SHA-256 is the sender's; one that was cut off goes on where it was.
public struct FileOptions: Sendable, Hashable {
    /// What becomes of files that the other end wants to send.
    public enum Receiving: String, Sendable, Hashable, CaseIterable {
        /// The person is asked for each batch; a paired device that may always is not asked about.
        case ask
        /// All are taken without a question.
        case accept
        /// None are taken.
        case refuse
    }

    /// What becomes of what the other end offers.
    public var receiving = Receiving.ask
    /// The folder for what comes; the one that it lies in is there. Made once something is offered.
    public var folder = FileOptions.usualFolder

    /// Makes options by which the person is asked.
    public init() {}

    /// `heliograph` in the user's folder for downloads.
    public static var usualFolder: String {
        let chosen = ProcessInfo.processInfo.environment["XDG_DOWNLOAD_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        let downloads = chosen ?? NSHomeDirectory() + "/Downloads"
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: downloads, isDirectory: &isFolder) && isFolder.boolValue
        return (isThere ? downloads + "/heliograph" : NSHomeDirectory() + "/heliograph-files")
    }

    /// Where what has come lies, as people write it: `It lies in ~/Downloads/heliograph.`
    public var place: String {
        let home = NSHomeDirectory() + "/"
        return "It lies in \(folder.hasPrefix(home) ? "~/" + folder.dropFirst(home.count) : folder)."
    }

    /// What a peer may that its own permission says this of.
    package func permission(for permission: FilePermission) -> FilePermission {
        switch (receiving, permission) {
        case (.refuse, _), (_, .never): .never
        case (.accept, _), (_, .always): .always
        case (.ask, .ask): .ask
        }
    }
}
