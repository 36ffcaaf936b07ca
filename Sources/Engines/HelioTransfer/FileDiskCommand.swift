package import HelioTransferWire

/// What an exchange of files asks of the disk. The commands of one job are carried out in their order.
///
/// A job ends with `close`, `finish`, `discard` or `keep`; after a failure one of them still comes. A job that is not
/// known is none of the disk's mistakes.
package enum FileDiskCommand: Hashable, Sendable {
    // What is sent.
    /// Opens an entry of a batch for reading, if it is what it was when it was listed. Answered by `opened` with its size.
    case openSource(DiskJob, BatchID, index: Int)
    case close(DiskJob)

    /// Reads up to `count` bytes, of what is sent or of what has come: at least one. Answered by `read`. What has changed
    /// since it was opened is a failure, and so is its end.
    case read(DiskJob, offset: UInt64, count: Int)

    // What is received.
    /// Asks how many bytes there is room for. Answered by `space`.
    case measure(BatchID)
    /// So many bytes of a batch will come: others are told of so much less room. Not answered.
    case promise(BatchID, UInt64)
    /// Makes a file that nobody sees under its name yet, or opens what there is of it from before. Answered by `opened`
    /// with the bytes that it has: no more than `size`.
    case create(DiskJob, BatchID, [SafeName], size: UInt64, modified: UInt64)
    /// Makes a folder, where there is none yet. Answered by `finished`.
    case makeFolder(DiskJob, BatchID, [SafeName])
    /// Writes. At offset 0 all that was there before goes. Answered by `wrote`.
    case write(DiskJob, offset: UInt64, [UInt8])
    /// Gives the file its name, or one like it that is free. Answered by `finished`.
    case finish(DiskJob)
    /// Removes the file. Not answered.
    case discard(DiskJob)
    /// Closes the file, for a later time. Not answered.
    case keep(DiskJob)

    /// Nothing more of a batch comes, either way. Not answered.
    case forget(BatchID)
}
