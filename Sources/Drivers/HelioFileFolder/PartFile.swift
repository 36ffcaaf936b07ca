internal import HelioTransfer
internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A partly received file: hidden, and accessible to this user alone, until it is complete.
final class PartFile {
    /// The part's name in the folder for received files.
    let name: String
    let file: OpenFile
    let batch: BatchID
    let path: [SafeName]
    let size: UInt64
    let modified: UInt64
    /// The number of bytes after which the file is flushed to the disk, so that the final flush of a large file is
    /// short.
    private static let syncDistance = 64 << 20
    private var unsynced = 0

    init(_ name: String, _ file: OpenFile, _ batch: BatchID, _ path: [SafeName], size: UInt64, modified: UInt64) {
        self.name = name
        self.file = file
        self.batch = batch
        self.path = path
        self.size = size
        self.modified = modified
    }

    func write(_ bytes: [UInt8], at offset: UInt64, by system: ReceivingFolder.Write) throws(SystemFailure) {
        if offset == 0 { try cut() }
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                system(
                    file.descriptor, UnsafeRawBufferPointer(rebasing: buffer[done...]), Int64(offset) + Int64(done))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SystemFailure(written < 0 ? errno : EIO) }
            done += written
        }
        unsynced += bytes.count
        guard unsynced >= Self.syncDistance else { return }
        unsynced = 0
        guard fsync(file.descriptor) == 0 else { throw SystemFailure(errno) }
    }

    private func cut() throws(SystemFailure) {
        guard ftruncate(file.descriptor, 0) == 0 else { throw SystemFailure(errno) }
    }

    /// Reads bytes that were received; returns fewer at the end of the file.
    func read(at offset: UInt64, count: Int) throws(SystemFailure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            if got < 0 { failure = errno } else { filled = got }
        }
        guard failure == 0 else { throw SystemFailure(failure) }
        return bytes
    }

    /// Sets the final permissions, which are never executable, and the modification time; flushes a large file to the
    /// disk.
    func complete(mode: UInt32) throws(SystemFailure) {
        guard fchmod(file.descriptor, mode_t(mode & 0o644)) == 0 else { throw SystemFailure(errno) }
        if modified > 0 {
            let time = timespec(tv_sec: Int(clamping: modified), tv_nsec: 0)
            // A failure to set the modification time is ignored.
            _ = withUnsafePointer(to: (time, time)) {
                $0.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(file.descriptor, $0) }
            }
        }
        // Some file systems report a full disk only at `fsync`. Small files are not flushed, to save time.
        guard size < FileMessage.resumableSize || fsync(file.descriptor) == 0 else { throw SystemFailure(errno) }
    }
}
