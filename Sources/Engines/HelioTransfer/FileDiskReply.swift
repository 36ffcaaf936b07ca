package import HelioTransferWire

/// The disk's answer to a `FileDiskCommand`.
package enum FileDiskReply: Hashable, Sendable {
    /// `bytes`: the size of what is sent; what there already is of what is received.
    case opened(DiskJob, bytes: UInt64)
    case read(DiskJob, [UInt8])
    case wrote(DiskJob, count: Int)
    /// A received file or folder has its name: `name`, within the folder for received files.
    case finished(DiskJob, name: String)
    case failed(DiskJob, FileRefusal)
    /// The bytes that there is room for, counting what parts of unfinished files take; `nil`: it can't be told.
    case space(BatchID, UInt64?)
}
