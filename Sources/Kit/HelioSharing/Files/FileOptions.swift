private import Foundation
package import HelioCore

/// The options for exchanging files between the two ends of a session. Each end sends the files that its user chooses,
/// and receives those that its user accepts.
///
/// Received files are stored in one folder. Their names are cleaned, no existing file is overwritten, and no received
/// file is executable. A file gets its name once it is complete and its SHA-256 matches the sender's; an interrupted
/// transfer is resumed.
public struct FileOptions: Sendable, Hashable {
    /// The policy for files that the other end offers.
    public enum Receiving: String, Sendable, Hashable, CaseIterable {
        /// The user is asked about each batch, unless the device's pairing always allows it.
        case ask
        /// All batches are accepted without confirmation.
        case accept
        /// All batches are refused.
        case refuse
    }

    /// The policy for files that the other end offers.
    public var receiving = Receiving.ask
    /// The folder for received files, created at the first offer; its parent has to exist.
    public var folder = FileOptions.usualFolder

    /// Makes options that ask the user.
    public init() {}

    /// The default folder: `heliograph` in the user's folder for downloads, or `heliograph-files` in the home folder if
    /// there is none.
    public static var usualFolder: String {
        let chosen = ProcessInfo.processInfo.environment["XDG_DOWNLOAD_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        let downloads = chosen ?? HeliographHome.userFolder + "/Downloads"
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: downloads, isDirectory: &isFolder) && isFolder.boolValue
        return (isThere ? downloads + "/heliograph" : HeliographHome.userFolder + "/heliograph-files")
    }

    /// A sentence about the folder of received files: `It lies in ~/Downloads/heliograph.`
    public var place: String {
        let home = HeliographHome.userFolder + "/"
        return "It lies in \(folder.hasPrefix(home) ? "~/" + folder.dropFirst(home.count) : folder)."
    }

    /// The effective permission of a peer, from these options and the permission that the peer was given.
    package func permission(for permission: FilePermission) -> FilePermission {
        switch (receiving, permission) {
        case (.refuse, _), (_, .never): .never
        case (.accept, _), (_, .always): .always
        case (.ask, .ask): .ask
        }
    }
}
