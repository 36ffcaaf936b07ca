// Apart from Foundation: where both are imported in one file, the compiler is not sure whose `stat` it is.
#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// What the system says of a file.
struct FileStatus {
    private let status: stat

    /// Follows links; `nil` where there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Of an open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    var isPlainFile: Bool { status.st_mode & S_IFMT == S_IFREG }
    /// Others than its owner can read, write or run it.
    var isOpenToOthers: Bool { status.st_mode & 0o077 != 0 }

    /// Changes when the file does.
    var fingerprint: FileFingerprint {
        #if os(Linux)
        let modified = status.st_mtim
        #else
        let modified = status.st_mtimespec
        #endif
        return FileFingerprint(
            inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Int64(modified.tv_sec) * 1_000_000_000 + Int64(modified.tv_nsec))
    }
}
