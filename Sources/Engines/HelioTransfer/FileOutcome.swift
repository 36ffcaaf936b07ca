package import HelioTransferWire

/// The result of one file or folder of a batch.
package struct FileOutcome: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The index in the batch, from 0.
    package var index: Int
    /// The name at this end: the path of a file that was sent, or the place of one that was received.
    package var name: String
    /// The reason of the failure; `nil` if the entry arrived whole.
    package var failure: FileRefusal?
}
