package import HelioBroadcast
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A heartbeat's file, in a folder that only this user may change. Each write replaces the file atomically, so that no
/// reader sees a partial record.
package struct HeartbeatFile: Sendable {
    private static let name = "heartbeat"

    private let folder: String

    /// Opens the folder, or makes it. Throws `systemFailed` if others may change it, or it can't be made.
    package init(in folder: String) throws(HelioError) {
        self.folder = folder
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder, "can't be made") }
        close(try open())
    }

    /// Replaces the record. Throws `systemFailed` if the file can't be written.
    package func write(_ record: HeartbeatRecord) throws(HelioError) {
        let descriptor = try open()
        defer { close(descriptor) }
        let temporary = Self.name + ".new"
        // Removes the temporary file of a process that was killed while it wrote.
        unlinkat(descriptor, temporary, 0)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(folder, "can't be written to") }
        let bytes = record.bytes
        #if canImport(Glibc)
        let written = Glibc.write(file, bytes, bytes.count)
        #else
        let written = Darwin.write(file, bytes, bytes.count)
        #endif
        let isClosed = close(file) == 0
        guard written == bytes.count, isClosed, renameat(descriptor, temporary, descriptor, Self.name) == 0 else {
            throw Self.failure(folder, "can't be written to")
        }
    }

    /// Reads the record; `nil` if there is none, if it is malformed, or if the file belongs to another user.
    package func read() -> HeartbeatRecord? {
        guard let descriptor = try? open() else { return nil }
        defer { close(descriptor) }
        // The file is opened non-blocking, since a named pipe in its place would block the reader.
        let file = openat(descriptor, Self.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: HeartbeatRecord.maximumSize + 1)
        #if canImport(Glibc)
        let count = Glibc.read(file, &bytes, bytes.count)
        #else
        let count = Darwin.read(file, &bytes, bytes.count)
        #endif
        return count > 0 ? HeartbeatRecord(Array(bytes[..<count])) : nil
    }

    /// Opens the folder, and checks that this user owns it and no other user may write to it.
    private func open() throws(HelioError) -> Int32 {
        #if canImport(Glibc)
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        #else
        let descriptor = Darwin.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw Self.failure(folder, "can't be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            close(descriptor)
            throw HelioError(
                .systemFailed, "The folder \(folder) can be changed by others: a heartbeat in it would prove nothing.")
        }
        return descriptor
    }

    private static func failure(_ folder: String, _ what: String) -> HelioError {
        HelioError(.systemFailed, "The folder \(folder) \(what) (\(String(cString: strerror(errno)))).")
    }
}
