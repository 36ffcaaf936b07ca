package import HelioTransferWire

/// What has become of one file or folder of a batch.
package struct FileOutcome: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The place in the batch, from 0.
    package var index: Int
    /// What it is called here: its path where it was sent, and where it lies now that it was received.
    package var name: String
    /// `nil`: it arrived whole.
    package var failure: FileRefusal?
}
