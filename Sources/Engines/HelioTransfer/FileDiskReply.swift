package import HelioTransferWire

/// The disk's answer to a `FileDiskCommand`.
package enum FileDiskReply: Hashable, Sendable {
    /// The file is open. `bytes` is the size of a file to send, or the length of the partial file of a file to receive.
    case opened(DiskJob, bytes: UInt64)
    case read(DiskJob, [UInt8])
    case wrote(DiskJob, count: Int)
    /// A received file or folder has its final name: `name`, relative to the folder for received files.
    case finished(DiskJob, name: String)
    case failed(DiskJob, FileRefusal)
    /// The number of bytes that the sender may still send: free space plus the space of its own partial files, less
    /// reserved space; `nil` if it is unknown.
    case space(BatchID, UInt64?)
}
