internal import HelioTransferWire

/// A batch of files and folders that are sent or received together.
public struct FileBatch: Sendable, Hashable, Identifiable {
    /// The batch's identity, valid within this process.
    public struct ID: Sendable, Hashable {
        let peer: Int
        let batch: BatchID
    }

    /// The batch's identity, for `SharedFiles.answer(_:accepts:)` and `SharedFiles.cancel(_:)`.
    public let id: ID
    /// The name of the other end.
    public let peer: String
    /// True if this machine receives the batch.
    public let isIncoming: Bool
    /// The name of the first file or folder, cleaned of characters that could mislead in a dialogue.
    public internal(set) var name: String
    /// The number of files and folders.
    public internal(set) var count: Int
    /// The total size in bytes.
    public internal(set) var bytes: UInt64
    /// The bytes sent so far; of an incoming batch, the bytes written to this machine's disk.
    public internal(set) var bytesDone: UInt64 = 0
    /// The number of the current file or folder, counting from 1; 0 before the first.
    public internal(set) var index = 0
    /// The average rate of the last seconds, in bytes a second.
    public internal(set) var rate = 0.0
    /// The estimated time left; `nil` if it is not known.
    public internal(set) var timeLeft: Duration?
    /// True while there is no session; the batch continues in the next session.
    public internal(set) var isInterrupted = false
}
