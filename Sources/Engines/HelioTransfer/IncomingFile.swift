internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// The state of a file or folder that is being received.
struct IncomingFile {
    enum Phase: Equatable {
        /// The disk creates or opens the partial file.
        case opening
        /// The partial file of an earlier attempt is read back up to this offset, and hashed.
        case hashing(upTo: UInt64)
        /// The length of the partial file has been sent to the sender, whose answer is awaited: the offset at which the
        /// data begin.
        case wanting
        case writing
        /// The disk renames the complete file, or creates the folder.
        case finishing
        /// The channel was cut; the file resumes on the next channel.
        case held
        /// The file has failed; its further messages are dropped.
        case givenUp
    }

    let entry: FileEntry
    let job: DiskJob
    var phase = Phase.opening
    /// The hash of all bytes before `position`.
    private(set) var hash: any IncrementalHash
    private let emptyHash: any IncrementalHash
    /// The number of bytes of the file that were passed to the disk, or read back from it.
    private(set) var position: UInt64 = 0
    /// The writes that the disk has yet to answer, oldest first: the credit that each uses, in bytes; 0 for writes from
    /// an earlier channel.
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

    /// Restarts at the beginning of the file.
    mutating func begin() {
        position = 0
        hash = emptyHash
    }

    /// Counts and hashes bytes that are passed to the disk, or were read back.
    ///
    /// - Parameter size: the credit that the bytes use, in bytes; `nil` if they were read back.
    mutating func take(_ bytes: [UInt8], size: Int?) {
        hash.update(bytes.span.bytes)
        position += UInt64(bytes.count)
        if let size { writing.append(size) }
    }

    /// Makes pending writes use no credit, as credit starts anew on the next channel.
    mutating func forgetCredit() { writing = Deque(repeating: 0, count: writing.count) }
}
