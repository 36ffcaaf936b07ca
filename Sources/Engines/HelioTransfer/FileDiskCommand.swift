package import HelioTransferWire

/// A command of a file exchange to the disk. The commands of one job are executed in order.
///
/// A job ends with `close`, `finish`, `discard` or `keep`; one of them follows after a failure too. A command of an
/// unknown job is no error of the disk, and may go unanswered.
package enum FileDiskCommand: Hashable, Sendable {
    // Files to send.
    /// Opens an entry of a batch for reading, if it is unchanged since it was listed. Answered by `opened` with its
    /// size.
    case openSource(DiskJob, BatchID, index: Int)
    case close(DiskJob)

    /// Reads 1 ... `count` bytes of a file to send, or of the part received of a file. Answered by `read`; by a failure
    /// if the file has changed since it was opened, or at its end.
    case read(DiskJob, offset: UInt64, count: Int)

    // Received files.
    /// Asks for the free space in bytes. Answered by `space`.
    case measure(BatchID)
    /// Reserves disk space for a batch: the free space reported to other exchanges is smaller by as much. Not answered.
    case promise(BatchID, UInt64)
    /// Makes a partial file, which does not have its final name yet, or opens the part received earlier. Answered by
    /// `opened` with the part's length in bytes: no more than `size`.
    case create(DiskJob, BatchID, [SafeName], size: UInt64, modified: UInt64)
    /// Makes a folder if it does not exist yet. Answered by `finished`.
    case makeFolder(DiskJob, BatchID, [SafeName])
    /// Writes bytes at `offset`; at offset 0 the former content is discarded. Answered by `wrote`.
    case write(DiskJob, offset: UInt64, [UInt8])
    /// Gives the file its name, or a similar one that is free. Answered by `finished`.
    case finish(DiskJob)
    /// Removes the file. Not answered.
    case discard(DiskJob)
    /// Closes the part and keeps it, to be resumed later. Not answered.
    case keep(DiskJob)

    /// Ends a batch: no more commands of it follow, in either direction. Not answered.
    case forget(BatchID)
}
