private import Foundation
internal import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A storage for secrets in a file that only its owner may read.
///
/// The file is replaced atomically, and a lock file serializes changes by several programs.
struct SecretFile: SecretStorage {
    /// The maximum size of a file in bytes, far above the size of a full list.
    private static let mostBytes = 256 * 1024

    let folder: String
    let name: String
    /// The advice for the user if the file is damaged.
    let advice: String

    var path: String { folder + "/" + name }
    var place: String { path }

    func fingerprint() -> FileFingerprint? { FileStatus(path: path)?.fingerprint }

    func read() throws(HelioError) -> [UInt8]? {
        try PrivatePaths.check(folder: folder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure("can't be opened (\(String(cString: strerror(errno))))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let status = FileStatus(descriptor: descriptor), status.isPlainFile else {
            throw failure("is no plain file")
        }
        if let exposure = status.exposure(of: path, user: geteuid()) { throw failure(exposure) }
        guard let data = try? handle.read(upToCount: Self.mostBytes + 1) ?? Data(), data.count <= Self.mostBytes else {
            throw failure("can't be read or is too large")
        }
        return [UInt8](data)
    }

    func change(_ body: ([UInt8]?) throws(HelioError) -> [UInt8]) throws(HelioError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure("can't be written: make its folder writable")
        }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("can't be written: make its folder writable") }
        // Closing the descriptor releases the lock.
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw failure("can't be locked") }
        try save(try body(try read()))
    }

    private func save(_ bytes: [UInt8]) throws(HelioError) {
        let temporary = path + ".new"
        _ = unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("can't be written: make its folder writable") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
        } catch {
            _ = unlink(temporary)
            throw failure("can't be written: is the disk full?")
        }
        guard rename(temporary, path) == 0 else { throw failure("can't be replaced: make its folder writable") }
    }

    private func failure(_ what: String) -> HelioError { HelioError(.systemFailed, "\(path) \(what). \(advice)") }
}
