internal import HelioTransferWire

/// Files and folders that go to the other end together, or come of it.
public struct FileBatch: Sendable, Hashable, Identifiable {
    /// The batch's number, of this process alone.
    public struct ID: Sendable, Hashable {
        let peer: Int
        let batch: BatchID
    }

    /// Its number.
    public let id: ID
    /// What the other end is called.
    public let peer: String
    /// True where it comes here.
    public let isIncoming: Bool
    /// The first file's name, or that of the folder: without what could be mistaken in a dialogue.
    public internal(set) var name: String
    /// The number of files and folders.
    public internal(set) var count: Int
    /// The bytes of all of them.
    public internal(set) var bytes: UInt64
    /// The bytes that are done: sent, or written here.
    public internal(set) var bytesDone: UInt64 = 0
    /// The number of the current file or folder, from 1; 0 before the first.
    public internal(set) var index = 0
    /// The mean of the last seconds, in bytes a second.
    public internal(set) var rate = 0.0
    /// The time left at that rate; `nil`: it can't be told.
    public internal(set) var timeLeft: Duration?
    /// True where there is no session: it goes on with the next one.
    public internal(set) var isInterrupted = false
}
