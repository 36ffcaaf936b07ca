private import CFileStatus

/// The status of a file: type, owner, permissions, size and modification time.
struct FileStatus {
    private let status: helio_file_status

    /// Reads the status of the file at a path, following links; `nil` if there is no file.
    init?(path: String) {
        var status = helio_file_status()
        guard helio_file_status_of_path(path, &status) != 0 else { return nil }
        self.status = status
    }

    /// Reads the status of an open file; `nil` for an invalid descriptor.
    init?(descriptor: Int32) {
        var status = helio_file_status()
        guard helio_file_status_of_descriptor(descriptor, &status) != 0 else { return nil }
        self.status = status
    }

    var isPlainFile: Bool { status.is_plain_file != 0 }

    var isFolder: Bool { status.is_folder != 0 }

    /// Returns the human-readable reason why a file is exposed to other users, with the remedy; `nil` if it is not
    /// exposed.
    ///
    /// - Parameters:
    ///   - mayBeRead: true if the contents are not secret, so that others may read them.
    ///   - user: the ID of this program's user. Files of the administrator are trusted, too.
    func exposure(of path: String, mayBeRead: Bool = false, user: UInt32) -> String? {
        Self.exposure(
            of: path, owner: status.owner, permissions: status.permissions, mayBeRead: mayBeRead, isFolder: isFolder,
            user: user)
    }

    static func exposure(
        of path: String, owner: UInt32, permissions: UInt32, mayBeRead: Bool, isFolder: Bool, user: UInt32
    ) -> String? {
        let mode = isFolder ? "700" : "600"
        if owner != user, owner != 0 {
            return "belongs to another user (\(owner)), who could change it: run 'chown \(user) \(path)' and "
                + "'chmod \(mode) \(path)' first, or name another"
        }
        if permissions & (mayBeRead ? 0o022 : 0o077) != 0 {
            return "can be \(mayBeRead ? "" : "read or ")written by others: run 'chmod \(mode) \(path)' first"
        }
        return nil
    }

    /// The file's fingerprint, which changes with each change of the file.
    var fingerprint: FileFingerprint {
        FileFingerprint(inode: status.inode, size: status.size, modified: status.modified)
    }
}
