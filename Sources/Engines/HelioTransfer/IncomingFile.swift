internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// A file or folder being received.
struct IncomingFile {
    enum Phase: Equatable {
        /// The disk makes or opens the file.
        case opening
        /// The part received earlier is read back, up to its end, and hashed.
        case hashing(upTo: UInt64)
        /// The part's length has been sent to the sender, whose answer says where the data begins.
        case wanting
        case writing
        /// The disk gives the file its name, or makes the folder.
        case finishing
        /// The channel was cut: the file resumes on the next one.
        case held
        /// The file has failed: its further messages are dropped.
        case givenUp
    }

    let entry: FileEntry
    let job: DiskJob
    var phase = Phase.opening
    /// The hash of all bytes before `position`.
    private(set) var hash: any IncrementalHash
    private let emptyHash: any IncrementalHash
    /// The number of bytes handed to the disk, or read back.
    private(set) var position: UInt64 = 0
    /// The messages that the disk is writing: the credit that each uses in bytes, 0 for those of an earlier channel.
    var writing = Deque<Int>()

    init(_ entry: FileEntry, job: DiskJob, hash: any IncrementalHash) {
        self.entry = entry
        self.job = job
        self.hash = hash
        emptyHash = hash
    }

    /// True while an answer of the disk is awaited.
    var waitsForDisk: Bool {
        switch phase {
        case .opening, .hashing, .finishing: true
        case .wanting, .writing, .held: !writing.isEmpty
        case .givenUp: false
        }
    }

    var isResumable: Bool { entry.size >= FileMessage.resumableSize }

    /// Starts again from the beginning of the file.
    mutating func begin() {
        position = 0
        hash = emptyHash
    }

    /// Counts and hashes bytes that are handed to the disk, or were read back.
    ///
    /// - Parameter size: the credit that they use, in bytes; `nil` if they were read back.
    mutating func take(_ bytes: [UInt8], size: Int?) {
        hash.update(bytes.span.bytes)
        position += UInt64(bytes.count)
        if let size { writing.append(size) }
    }

    /// Ends the use of credit by pending writes, as the next channel has its own.
    mutating func forgetCredit() { writing = Deque(repeating: 0, count: writing.count) }
}
