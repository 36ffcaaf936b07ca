private import Foundation
internal import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A short list of records with secrets, kept as JSON in a file that only its owner may read.
///
/// The file is written whole or not at all, and changed by one program at a time. A damaged file is an error and never
/// an empty list, so that a mistake lets nobody in and forgets nobody.
struct SecretFile<Record: Codable>: Sendable {
    private struct Contents: Codable {
        var version: Int
        var entries: [Record]
    }

    private static var version: Int { 1 }
    /// The most bytes of a file: far above what the limit of any list needs.
    private static var mostBytes: Int { 256 * 1024 }

    let folder: String
    let name: String
    /// The most entries of the list.
    let limit: Int
    /// The advice for a damaged file, for people.
    let advice: String

    var path: String { folder + "/" + name }

    /// The file's fingerprint; `nil` where there is no such file.
    func fingerprint() -> FileFingerprint? { FileStatus(path: path)?.fingerprint }

    /// Reads all entries; none where there is no file. Throws `systemFailed`.
    func load() throws(HelioError) -> [Record] {
        try PrivatePaths.check(folder: folder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return [] }
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
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data) else {
            throw failure("is damaged")
        }
        guard contents.version == Self.version else {
            throw failure("was written by another version of Heliograph")
        }
        guard contents.entries.count <= limit else { throw failure("has more than \(limit) entries") }
        return contents.entries
    }

    /// Turns records into entries; throws where a record is not valid.
    func decode<Entry>(_ records: [Record], _ entry: (Record) -> Entry?) throws(HelioError) -> [Entry] {
        var entries: [Entry] = []
        for record in records {
            guard let entry = entry(record) else { throw failure("is damaged: an entry makes no sense") }
            entries.append(entry)
        }
        return entries
    }

    /// Reads, changes and writes the list under a lock against other programs.
    func change(_ body: (inout [Record]) throws(HelioError) -> Void) throws(HelioError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure("can't be written: make its folder writable")
        }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("can't be written: make its folder writable") }
        // Closing gives the lock back.
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw failure("can't be locked") }
        var records = try load()
        try body(&records)
        try save(records)
    }

    private func save(_ records: [Record]) throws(HelioError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let temporary = path + ".new"
        _ = unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, var data = try? encoder.encode(Contents(version: Self.version, entries: records)) else {
            if descriptor >= 0 { close(descriptor) }
            throw failure("can't be written: make its folder writable")
        }
        data.append(UInt8(ascii: "\n"))
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
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
