package import HelioTransferWire

/// A question to the user: whether to receive a batch.
package struct FileQuestion: Hashable, Sendable {
    package var batch: BatchID
    /// The name of the batch's first file or folder, without characters that could mislead in a dialogue.
    package var name: SafeName
    /// The number of files and folders; `bytes` is the size of all of them.
    package var count: Int
    package var bytes: UInt64
}
