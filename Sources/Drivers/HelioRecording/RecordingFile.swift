private import Foundation
internal import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A file that is being recorded. Only its owner can read it, and it is truncated to its last playable position if a
/// write fails.
final class RecordingFile {
    let path: String
    private let descriptor: Int32
    private var position: Int64 = 0
    /// The file's length in bytes.
    private(set) var size: Int64 = 0
    /// The length in bytes up to which the file can be played.
    private var goodSize: Int64 = 0
    /// The `errno` value of the first error; 0 if there was none.
    private var error: Int32 = 0

    /// Creates the file. Throws `invalidArgument` for a name that is taken, and `systemFailed` if the file can't be
    /// made.
    ///
    /// - Parameter overwrites: true to replace an existing file of this name.
    init(_ path: String, overwrites: Bool) throws(HelioError) {
        self.path = path
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(path, overwrites ? flags : flags | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HelioError(.invalidArgument, "\(path) is no plain file: nothing can be recorded there.")
        }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw HelioError(.systemFailed, "\(path) can't be replaced: \(reason).")
        }
    }

    deinit { close(descriptor) }

    private static func refusal(_ path: String, _ error: Int32) -> HelioError {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        return switch error {
        case EEXIST:
            HelioError(
                .invalidArgument, "\(path) is there already: nothing is recorded over it.", remedy: .replaceRecording)
        case ENOENT: HelioError(.systemFailed, "\(path) can't be recorded: there is no folder \(folder).")
        case EACCES, EPERM, EROFS:
            HelioError(.systemFailed, "\(path) can't be recorded: the folder \(folder) can't be written to.")
        case ELOOP: HelioError(.invalidArgument, "\(path) is a link: nothing is recorded there. Give another name.")
        case ENOSPC, EDQUOT: HelioError(.systemFailed, "\(path) can't be recorded: the disk is full.")
        default:
            HelioError(.systemFailed, "\(path) can't be recorded: \(String(cString: strerror(error))).")
        }
    }

    /// Writes at the current position. Returns false if this or an earlier write has failed.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard error == 0, var start = bytes.baseAddress else { return error == 0 }
        var left = bytes.count
        while left > 0 {
            let written = Foundation.write(descriptor, start, left)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                error = written < 0 ? errno : EIO
                return false
            }
            start += written
            left -= written
            position += Int64(written)
        }
        size = max(size, position)
        return true
    }

    /// Moves to a position; returns false if the position is invalid.
    func seek(to position: Int64) -> Bool {
        guard position >= 0, lseek(descriptor, off_t(position), SEEK_SET) >= 0 else { return false }
        self.position = position
        return true
    }

    var place: Int64 { position }

    /// Marks all bytes written so far as playable. Throws `systemFailed` if a write has failed, after truncating the
    /// file to its last playable position, and if the file was removed.
    func seal() throws(HelioError) {
        if error != 0 {
            let reason =
                switch error {
                case ENOSPC, EDQUOT: "the disk is full"
                case EFBIG: "the file has the most bytes that it may have"
                default: String(cString: strerror(error))
                }
            _ = ftruncate(descriptor, off_t(goodSize))
            size = goodSize
            throw HelioError(
                .systemFailed, "The recording has ended, as \(reason): \(path) plays up to there.")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink == 0 {
            throw HelioError(.systemFailed, "The recording has ended: somebody has removed \(path).")
        }
        goodSize = size
    }

    /// Removes the file if nothing was written to it.
    func removeIfEmpty() {
        if size == 0 { _ = unlink(path) }
    }
}
