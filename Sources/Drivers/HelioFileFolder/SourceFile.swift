internal import CFileStatus
internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A file to send, with its properties at the time of listing.
struct SourceFile {
    /// The properties by which a change of a file is detected.
    struct Identity: Equatable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var modified: Int64

        init(_ status: helio_file_status) {
            device = status.device
            inode = status.inode
            size = status.size
            modified = status.modified
        }
    }

    /// The path of the file or folder that the user has chosen.
    let base: String
    /// The names below `base`, if a folder was chosen.
    let names: [String]
    let identity: Identity

    /// Opens the file, without following a link within a chosen folder.
    func open() throws(FileReadFailure) -> OpenFile {
        let file = try Self.open(base, names)
        guard let status = file.status, status.is_plain_file != 0 else { throw .unreadable }
        guard Identity(status) == identity else { throw .changed }
        return file
    }

    static func open(_ base: String, _ names: [String]) throws(FileReadFailure) -> OpenFile {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = Self.system(base, names.isEmpty ? flags : flags | O_DIRECTORY)
        guard descriptor >= 0 else { throw .unreadable }
        var file = OpenFile(descriptor)
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            guard let next = try? OpenFile(name, in: file, isLast ? O_RDONLY : O_RDONLY | O_DIRECTORY) else {
                throw .unreadable
            }
            file = next
        }
        return file
    }

    private static func system(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags)
        #else
        Darwin.open(path, flags)
        #endif
    }

    /// Reads `count` bytes from the opened file. Throws `changed` if the file has changed or is shorter.
    func read(_ file: OpenFile, offset: UInt64, count: Int) throws(FileReadFailure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    file.descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
                    off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                filled += got
            }
        }
        guard failure == 0 else { throw .unreadable }
        // The identity is checked after reading, so that a change during the read is detected.
        guard let status = file.status, Identity(status) == identity, bytes.count == count else { throw .changed }
        return bytes
    }
}
