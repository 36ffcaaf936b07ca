#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The stream by which systemd takes a service's output to its journal, where lines are kept and others may read them.
package struct JournalStream: Sendable, Equatable {
    package let device: UInt64
    package let inode: UInt64

    /// Parses `$JOURNAL_STREAM`: the stream's device and inode, decimal, with a colon between them (systemd.exec(5)).
    package init?(_ variable: String?) {
        let parts = (variable ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return nil }
        self.init(device: device, inode: inode)
    }

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    /// Returns whether a descriptor is this stream. A program that a service has started, with its output elsewhere,
    /// inherits the variable, but not the descriptor.
    package func isOpen(at descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return UInt64(truncatingIfNeeded: status.st_dev) == device && UInt64(status.st_ino) == inode
    }
}
