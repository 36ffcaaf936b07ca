internal import CFileStatus
package import HelioCore
internal import HelioTransfer
internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The folder for received files. Files are received nowhere else, and no existing file is ever overwritten.
///
/// A partly received file is hidden and accessible to this user alone; it gets its final name when it is complete.
/// Confined to one thread.
package final class ReceivingFolder {
    /// The function that writes to a file: `pwrite`, or in tests a function that simulates a full disk.
    typealias Write = (Int32, UnsafeRawBufferPointer, Int64) -> Int

    /// The maximum number of part files of one sender that are kept for resuming. `mostPartsOfAll` is the maximum in
    /// total, and `longest` their maximum age in seconds.
    private static let mostParts = 16
    private static let mostPartsOfAll = 64
    private static let longest: Int64 = 7 * 24 * 3600
    /// The maximum number of numbered names that are tried if a name is taken.
    private static let mostNumbers = 1000
    /// The maximum number of top-level folders of one batch.
    private static let mostTops = 1000
    /// The maximum number of folders that one batch may create.
    private static let mostFolders = 100_000
    /// The maximum disk space that stays reserved for other programs, in bytes; on small disks, a twentieth of the disk
    /// is reserved.
    private static let mostReserve: UInt64 = 1 << 30

    package let path: String
    private let root: OpenFile
    /// The default permissions of this user's new files.
    private let mode: UInt32
    var write: Write = { pwrite($0, $1.baseAddress, $1.count, off_t($2)) }
    /// The actual names of a batch's top-level folders, by the names that the sender gave.
    private var tops: [BatchID: [String: String]] = [:]
    /// The number of folders that were made for a batch.
    private var made: [BatchID: Int] = [:]
    /// The number of bytes of accepted batches that have not been received yet. The sender is part of the key, since
    /// each sender numbers its own batches.
    private var promised: [Promise: UInt64] = [:]

    private struct Promise: Hashable {
        var sender: PartSender
        var batch: BatchID
    }

    /// Checks that the folder exists and is writable, or can be made; does not make it. Throws `systemFailed`
    /// otherwise.
    static func check(_ path: String) throws(HelioError) {
        if access(path, F_OK) == 0 {
            _ = try ReceivingFolder(path)
            return
        }
        let outer = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let parent = outer.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : outer
        guard access(parent, W_OK | X_OK) == 0 else {
            throw HelioError(
                .systemFailed, "The folder \(path) can't be made (\(String(cString: strerror(errno)))).")
        }
    }

    /// Opens the folder, or makes it in an existing parent. Throws `systemFailed` if it can't be opened, made or
    /// written to.
    package init(_ path: String) throws(HelioError) {
        if mkdir(path, 0o755) != 0, errno != EEXIST {
            throw HelioError(
                .systemFailed, "The folder \(path) can't be made (\(String(cString: strerror(errno)))).")
        }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw HelioError(
                .systemFailed, "The folder \(path) can't be opened (\(String(cString: strerror(errno)))).")
        }
        self.path = path
        root = OpenFile(descriptor)
        do {
            mode = try Self.usualMode(in: root)
        } catch {
            throw HelioError(
                .systemFailed,
                "Nothing can be written to the folder \(path) (\(String(cString: strerror(error.number)))).")
        }
        prune()
    }

    /// Returns the default permissions of this user's new files, read from a temporary file: reading the umask would
    /// change it for all threads.
    private static func usualMode(in folder: OpenFile) throws(SystemFailure) -> UInt32 {
        let name = PartName.prefix + "mode-\(getpid())"
        _ = unlinkat(folder.descriptor, name, 0)
        let file = try OpenFile(name, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        defer { _ = unlinkat(folder.descriptor, name, 0) }
        guard let status = file.status else { throw SystemFailure(EIO) }
        return status.permissions & 0o644
    }

    // MARK: Disk space

    /// Returns the number of bytes that a sender may still send: the free space and the sender's own kept parts, minus
    /// the reserve and the bytes promised to accepted batches; `nil` if the free space is not known.
    func space(for sender: PartSender) -> UInt64? {
        var system = statvfs()
        guard fstatvfs(root.descriptor, &system) == 0 else { return nil }
        let free = UInt64(system.f_bavail) &* UInt64(system.f_frsize)
        let all = UInt64(system.f_blocks) &* UInt64(system.f_frsize)
        let apart = promised.values.reduce(min(all / 20, Self.mostReserve)) { sum, bytes in
            let (total, isOver) = sum.addingReportingOverflow(bytes)
            return isOver ? .max : total
        }
        let own = PartName.prefix(of: sender)
        let kept = parts().filter { $0.name.hasPrefix(own) }.reduce(0) { $0 &+ UInt64(max(0, $1.status.size)) }
        return (free > apart ? free - apart : 0) &+ kept
    }

    func promise(_ bytes: UInt64, to batch: BatchID, _ sender: PartSender) {
        promised[Promise(sender: sender, batch: batch)] = bytes
    }

    func wrote(_ count: Int, of batch: BatchID, _ sender: PartSender) {
        let key = Promise(sender: sender, batch: batch)
        guard let left = promised[key] else { return }
        promised[key] = left - min(left, UInt64(count))
    }

    private func parts() -> [(name: String, status: helio_file_status)] {
        (root.names(limit: 100_000) ?? []).compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            guard name.hasPrefix(PartName.prefix), let status = root.status(of: name) else { return nil }
            return (name, status)
        }
    }

    /// Removes parts that are too old, and the oldest parts beyond the limits. Parts that a transfer is writing are
    /// locked, and are kept.
    func prune() {
        let now = Int64(time(nil))
        let newestFirst = parts().sorted { $0.status.modified > $1.status.modified }
        var counts: [Substring: Int] = [:]
        for (place, part) in newestFirst.enumerated() {
            let age = now - part.status.modified / 1_000_000_000
            let sender = part.name.dropFirst(PartName.prefix.count).prefix { $0 != "-" }
            let own = counts[sender, default: 0]
            counts[sender] = own + 1
            guard own >= Self.mostParts || place >= Self.mostPartsOfAll || age > Self.longest else { continue }
            guard let file = try? OpenFile(part.name, in: root, O_RDWR), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            _ = unlinkat(root.descriptor, part.name, 0)
        }
    }

    // MARK: Files

    /// Opens a file's kept part, or creates a new part. Returns the part with the number of bytes in it.
    func create(
        _ batch: BatchID, of sender: PartSender, _ path: [SafeName], size: UInt64, modified: UInt64
    ) throws(SystemFailure) -> (part: PartFile, held: UInt64) {
        let first = PartName.name(sender, path, size: size, modified: modified)
        for number in 1...8 {
            let name = number == 1 ? first : first + "-\(number)"
            guard let (file, held) = try openPart(name, size: size) else { continue }
            return (PartFile(name, file, batch, path, size: size, modified: modified), held)
        }
        throw SystemFailure(EBUSY)
    }

    /// Opens or creates a part and locks it; `nil` if another transfer is writing it.
    private func openPart(_ name: String, size: UInt64) throws(SystemFailure) -> (OpenFile, UInt64)? {
        if let file = try? OpenFile(name, in: root, O_RDWR) {
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
            if let status = file.status, status.is_plain_file != 0, status.links == 1, status.owner == geteuid(),
                status.permissions & 0o077 == 0, let held = UInt64(exactly: status.size), held <= size
            {
                return (file, held)
            }
        }
        // The name belongs to a link, or to a file that this program did not make: remove it.
        if root.status(of: name) != nil { _ = unlinkat(root.descriptor, name, 0) }
        let file = try OpenFile(name, in: root, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return (file, 0)
    }

    /// Gives a complete file its final name, with a number if the name is taken. Returns the file's path in the folder.
    func finish(_ part: PartFile) throws(SystemFailure) -> String {
        guard let last = part.path.last else { throw SystemFailure(EINVAL) }
        try part.complete(mode: mode)
        let (folder, shown) = try openFolder(part.path.dropLast(), of: part.batch)
        for number in 1...Self.mostNumbers {
            let name = number == 1 ? last.text : last.numbered(number)
            if try link(part.name, to: name, in: folder) { return shown + name }
        }
        throw SystemFailure(EEXIST)
    }

    /// Moves a part to its final name; returns false if the name is taken.
    private func link(_ part: String, to name: String, in folder: OpenFile) throws(SystemFailure) -> Bool {
        if linkat(root.descriptor, part, folder.descriptor, name, 0) == 0 {
            _ = unlinkat(root.descriptor, part, 0)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: break
        default: throw SystemFailure(errno)
        }
        // This file system has no hard links: an empty file reserves the name, and the part then replaces it.
        do {
            _ = try OpenFile(name, in: folder, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        if renameat(root.descriptor, part, folder.descriptor, name) == 0 { return true }
        let failure = SystemFailure(errno)
        _ = unlinkat(folder.descriptor, name, 0)
        throw failure
    }

    func discard(_ part: PartFile) { _ = unlinkat(root.descriptor, part.name, 0) }

    // MARK: Folders

    /// Makes a folder of a batch. Returns its path in the folder for received files.
    func makeFolder(_ path: [SafeName], of batch: BatchID) throws(SystemFailure) -> String {
        String(try openFolder(path[...], of: batch).shown.dropLast())
    }

    func forget(_ batch: BatchID, of sender: PartSender) {
        tops[batch] = nil
        made[batch] = nil
        promised[Promise(sender: sender, batch: batch)] = nil
    }

    /// Opens a folder of a batch level by level, and makes missing folders. The top-level folder is always made by the
    /// batch, so that no file is received into a folder that existed before. `shown` ends with a separator, unless it
    /// is empty.
    private func openFolder(
        _ path: ArraySlice<SafeName>, of batch: BatchID
    ) throws(SystemFailure) -> (folder: OpenFile, shown: String) {
        guard let top = path.first else { return (root, "") }
        var shown = try makeTop(top, of: batch)
        var folder = try OpenFile(shown, in: root, O_RDONLY | O_DIRECTORY)
        for name in path.dropFirst() {
            guard made[batch, default: 0] < Self.mostFolders else { throw SystemFailure(EMLINK) }
            if mkdirat(folder.descriptor, name.text, 0o755) == 0 {
                made[batch, default: 0] += 1
            } else if errno != EEXIST {
                throw SystemFailure(errno)
            }
            folder = try OpenFile(name.text, in: folder, O_RDONLY | O_DIRECTORY)
            shown += "/" + name.text
        }
        return (folder, shown + "/")
    }

    private func makeTop(_ name: SafeName, of batch: BatchID) throws(SystemFailure) -> String {
        if let known = tops[batch]?[name.text] { return known }
        guard tops[batch, default: [:]].count < Self.mostTops else { throw SystemFailure(EMLINK) }
        for number in 1...Self.mostNumbers {
            let candidate = number == 1 ? name.text : name.numbered(number)
            if mkdirat(root.descriptor, candidate, 0o755) == 0 {
                tops[batch, default: [:]][name.text] = candidate
                return candidate
            }
            guard errno == EEXIST else { throw SystemFailure(errno) }
        }
        throw SystemFailure(EEXIST)
    }
}
