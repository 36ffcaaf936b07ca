internal import CFileStatus
package import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The list of entries to send, made from the files and folders that the user has chosen.
package struct SourceListing: Sendable {
    package private(set) var entries: [FileEntry] = []
    /// The files and folders that are not sent, with the reason: `unreadable` for links, devices, pipes, and files that
    /// may not be read or are too large; `badName` for names that are not UTF-8 or too deeply nested; `tooMany` for
    /// entries beyond the limit.
    package private(set) var left: [LeftOut] = []
    /// The files, by their index in `entries`.
    private(set) var files: [Int: SourceFile] = [:]
    private let limit: Int

    /// The maximum number of entries in `left`.
    private static let mostLeft = 100
    /// The number of further files and folders that are left out, in addition to those in `left`.
    package private(set) var moreLeft = 0

    /// Lists paths. A chosen path may be a link; links inside a folder are not followed.
    ///
    /// - Parameter limit: the maximum number of files and folders listed.
    package init(_ paths: [String], limit: Int) {
        self.limit = limit
        for path in paths { add(path) }
    }

    private mutating func leave(_ path: String, _ reason: FileRefusal) {
        if left.count < Self.mostLeft { left.append(LeftOut(path: path, reason: reason)) } else { moreLeft += 1 }
    }

    private mutating func add(_ path: String) {
        guard let file = try? SourceFile.open(path, []), let status = file.status else {
            return leave(path, .unreadable)
        }
        guard let name = path.split(separator: "/").last.map(String.init), FileEntry.isValid(name) else {
            return leave(path, .badName)
        }
        add(file, status, path, [], sent: [name])
    }

    private mutating func add(
        _ file: OpenFile, _ status: helio_file_status, _ base: String, _ names: [String], sent: [String]
    ) {
        let shown = ([base] + names).joined(separator: "/")
        guard entries.count < limit else { return leave(shown, .tooMany) }
        guard FileEntry.isValid(sent) else { return leave(shown, .badName) }
        if status.is_folder != 0 {
            entries.append(FileEntry(path: sent, isFolder: true))
            return addAll(in: file, base, names, sent: sent)
        }
        guard status.is_plain_file != 0, let size = UInt64(exactly: status.size), size <= FileEntry.mostBytes else {
            return leave(shown, .unreadable)
        }
        files[entries.count] = SourceFile(base: base, names: names, identity: SourceFile.Identity(status))
        entries.append(FileEntry(path: sent, size: size, modified: UInt64(max(0, status.modified / 1_000_000_000))))
    }

    private mutating func addAll(in folder: OpenFile, _ base: String, _ names: [String], sent: [String]) {
        let shown = ([base] + names).joined(separator: "/")
        guard let found = folder.names(limit: limit + 1) else { return leave(shown, .unreadable) }
        for bytes in found {
            guard entries.count < limit else { return leave(shown, .tooMany) }
            guard let name = String(validating: bytes, as: UTF8.self), FileEntry.isValid(name) else {
                leave(shown + "/" + String(decoding: bytes, as: UTF8.self), .badName)
                continue
            }
            // Skip part files of transfers to this machine.
            if name.hasPrefix(PartName.prefix) { continue }
            let path = shown + "/" + name
            // The type is checked before opening, since opening a device may have side effects.
            guard let status = folder.status(of: name), status.is_folder != 0 || status.is_plain_file != 0,
                let file = try? OpenFile(name, in: folder, O_RDONLY), let opened = file.status
            else {
                leave(path, .unreadable)
                continue
            }
            add(file, opened, base, names + [name], sent: sent + [name])
        }
    }
}
