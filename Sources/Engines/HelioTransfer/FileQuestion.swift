package import HelioTransferWire

/// The question to the user before files are received.
package struct FileQuestion: Hashable, Sendable {
    package var batch: BatchID
    /// The name of the first file, or of the folder, without characters that could mislead in a dialogue.
    package var name: SafeName
    /// The number of files and folders, and the bytes of all of them.
    package var count: Int
    package var bytes: UInt64
}
