package import HelioTransferWire

/// What a person is asked before files come.
package struct FileQuestion: Hashable, Sendable {
    package var batch: BatchID
    /// The first file's name, or that of the folder: without what could be mistaken in a dialogue.
    package var name: SafeName
    /// The number of files and folders, and the bytes of all of them.
    package var count: Int
    package var bytes: UInt64
}
