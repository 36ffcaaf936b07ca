package import HelioTransferWire

/// A command of a file exchange to the disk. The commands of one job are executed in order.
///
/// The job of a file ends with `close`, `finish`, `discard` or `keep`, one of which follows even after a failure. The
/// job of a folder ends when `makeFolder` succeeds, or with `discard`. The disk may leave a command of an unknown job
/// unanswered.
package enum FileDiskCommand: Hashable, Sendable {
    // Commands for files to send.
    /// Opens an entry of a batch for reading, if it is unchanged since it was listed. Answered by `opened` with its
    /// size.
    case openSource(DiskJob, BatchID, index: Int)
    case close(DiskJob)

    /// Reads 1 ... `count` bytes of a file to send, or of a partially received file. Answered by `read`; by `failed` if
    /// the file has changed since it was opened, or at its end.
    case read(DiskJob, offset: UInt64, count: Int)

    // Commands for received files.
    /// Queries the free space. Answered by `space`.
    case measure(BatchID)
    /// Reserves this number of bytes for a batch, which reduces the free space reported to other exchanges. Not
    /// answered.
    case promise(BatchID, UInt64)
    /// Creates a partial file, which does not have its final name yet, or opens the partial file of an earlier attempt.
    /// Answered by `opened` with its length in bytes, at most `size`.
    case create(DiskJob, BatchID, [SafeName], size: UInt64, modified: UInt64)
    /// Makes a folder if it does not exist yet. Answered by `finished`.
    case makeFolder(DiskJob, BatchID, [SafeName])
    /// Writes bytes at `offset`; at offset 0 the former content is discarded. Answered by `wrote`.
    case write(DiskJob, offset: UInt64, [UInt8])
    /// Renames the partial file to its final name, or to a similar unused name. Answered by `finished`.
    case finish(DiskJob)
    /// Deletes the partial file. Not answered.
    case discard(DiskJob)
    /// Closes the partial file and keeps it, to be resumed later. Not answered.
    case keep(DiskJob)

    /// Ends a batch, sent or received; no more of its commands follow. Not answered.
    case forget(BatchID)
}
