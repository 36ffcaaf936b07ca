package import HelioTransferWire

/// The result of one file or folder of a batch.
package struct FileOutcome: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The entry's index in the batch, from 0.
    package var index: Int
    /// The name at this end: the path of a sent file within its batch, or the name under which a received file was
    /// stored.
    package var name: String
    /// The reason of the failure; `nil` if the entry arrived complete.
    package var failure: FileRefusal?
}
