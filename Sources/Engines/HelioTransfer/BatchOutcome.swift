package import HelioTransferWire

/// The result of a batch that has ended.
package struct BatchOutcome: Hashable, Sendable {
    package var batch: BatchID
    package var direction: FileDirection
    /// The number of files and folders that arrived.
    package var arrived: Int
    /// The number of files and folders that failed.
    package var failed: Int
    /// The reason why the batch ended early; `nil` if every entry was tried.
    package var reason: FileRefusal?
    /// True if the peer has ended the batch; `reason` is then the peer's reason.
    package var isPeers: Bool
}
