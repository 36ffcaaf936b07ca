private import CFileStatus

/// The system's status of a file: kind, owner and permissions.
struct FileStatus {
    private let status: helio_file_status

    /// The status of the file at a path, following links; `nil` if there is none.
    init?(path: String) {
        var status = helio_file_status()
        guard helio_file_status_of_path(path, &status) != 0 else { return nil }
        self.status = status
    }

    /// The status of an open file.
    init?(descriptor: Int32) {
        var status = helio_file_status()
        guard helio_file_status_of_descriptor(descriptor, &status) != 0 else { return nil }
        self.status = status
    }

    var isPlainFile: Bool { status.is_plain_file != 0 }

    var isFolder: Bool { status.is_folder != 0 }

    /// The reason why a file is not safe from others, with what to do about it, as human-readable text; `nil` if it is
    /// safe.
    ///
    /// - Parameters:
    ///   - mayBeRead: true if the contents are no secret.
    ///   - user: the number of this program's user. The administrator's files are trusted too.
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

    /// The file's fingerprint, which changes with the file.
    var fingerprint: FileFingerprint {
        FileFingerprint(inode: status.inode, size: status.size, modified: status.modified)
    }
}
