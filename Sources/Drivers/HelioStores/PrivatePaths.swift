private import Foundation
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Checks and reads files and folders that only this program's user may read or change: files with secrets, and the
/// installation's folder.
package enum PrivatePaths {
    /// Reads a text file with a secret. Throws `systemFailed`, with a human-readable message, if the file can't be
    /// read, is larger than `limit` bytes, belongs to another user, or is open to others.
    ///
    /// - Parameter mayBeRead: true if the contents are not secret, so that others may read them.
    package static func read(
        _ path: String, limit: Int = 4096, mayBeRead: Bool = false
    ) throws(HelioError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw HelioError(
                .systemFailed,
                errno == ENOENT
                    ? "\(path): there is no such file."
                    : "\(path) can't be read (\(String(cString: strerror(errno)))).")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // A terminal has no file permissions to check.
        if isatty(descriptor) == 0 {
            guard let status = FileStatus(descriptor: descriptor), !status.isFolder else {
                throw HelioError(.systemFailed, "\(path) is no file.")
            }
            if let exposure = status.exposure(of: path, mayBeRead: mayBeRead, user: geteuid()) {
                throw HelioError(.systemFailed, "\(path) \(exposure).")
            }
        }
        var data = Data()
        while data.count <= limit, let more = try? handle.read(upToCount: limit + 1 - data.count), !more.isEmpty {
            data += more
        }
        guard data.count <= limit, let text = String(data: data, encoding: .utf8) else {
            throw HelioError(.systemFailed, "\(path) is too large, or no text.")
        }
        return text
    }

    /// Checks a folder. Throws `systemFailed` if it exists, and other users can create files in it.
    package static func check(folder: String) throws(HelioError) {
        guard let status = FileStatus(path: folder) else { return }
        guard status.isFolder else { throw HelioError(.systemFailed, "\(folder) is no folder.") }
        if let exposure = status.exposure(of: folder, mayBeRead: true, user: geteuid()) {
            throw HelioError(.systemFailed, "The folder \(folder) \(exposure).")
        }
    }

    /// Checks a file. Throws `systemFailed` if it exists, and other users have access to it.
    ///
    /// - Parameter mayBeRead: true if the contents are not secret, so that others may read them.
    static func check(_ path: String, mayBeRead: Bool) throws(HelioError) {
        guard let status = FileStatus(path: path) else { return }
        if let exposure = status.exposure(of: path, mayBeRead: mayBeRead, user: geteuid()) {
            throw HelioError(.systemFailed, "\(path) \(exposure).")
        }
    }
}
