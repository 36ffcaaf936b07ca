private import CFileStatus

/// What the system says of a file.
struct FileStatus {
    private let status: helio_file_status

    /// Follows links; `nil` where there is no such file.
    init?(path: String) {
        var status = helio_file_status()
        guard helio_file_status_of_path(path, &status) != 0 else { return nil }
        self.status = status
    }

    /// Of an open file.
    init?(descriptor: Int32) {
        var status = helio_file_status()
        guard helio_file_status_of_descriptor(descriptor, &status) != 0 else { return nil }
        self.status = status
    }

    var isPlainFile: Bool { status.is_plain_file != 0 }
    /// Others than its owner can read, write or run it.
    var isOpenToOthers: Bool { status.permissions & 0o077 != 0 }

    /// Changes when the file does.
    var fingerprint: FileFingerprint {
        FileFingerprint(inode: status.inode, size: status.size, modified: status.modified)
    }
}
