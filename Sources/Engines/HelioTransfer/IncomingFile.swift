internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// A file or folder on its way from the other end.
struct IncomingFile {
    enum Phase: Equatable {
        /// The disk makes or opens it.
        case opening
        /// What there is of it is read back, up to its end, and hashed.
        case hashing(upTo: UInt64)
        /// The sender has been told what there is, and says where it begins.
        case wanting
        case writing
        /// The disk gives it its name.
        case finishing
        /// The channel was cut: with the next one it goes on from here.
        case held
        /// There is a verdict: what still comes of it is thrown away.
        case givenUp
    }

    let entry: FileEntry
    let job: DiskJob
    var phase = Phase.opening
    /// The hash of all before `position`.
    private(set) var hash: any IncrementalHash
    private let emptyHash: any IncrementalHash
    /// The place up to which it was given to the disk, or read back.
    private(set) var position: UInt64 = 0
    /// The messages that the disk is writing: the bytes that each takes of the credit, 0 for those of an earlier channel.
    var writing = Deque<Int>()

    init(_ entry: FileEntry, job: DiskJob, hash: any IncrementalHash) {
        self.entry = entry
        self.job = job
        self.hash = hash
        emptyHash = hash
    }

    /// True where the disk owes an answer.
    var waitsForDisk: Bool {
        switch phase {
        case .opening, .hashing, .finishing: true
        case .wanting, .writing, .held: !writing.isEmpty
        case .givenUp: false
        }
    }

    var isResumable: Bool { entry.size >= FileMessage.resumableSize }

    /// Begins anew, whatever there is of it.
    mutating func begin() {
        position = 0
        hash = emptyHash
    }

    /// Counts what is given to the disk, or was read back.
    ///
    /// - Parameter size: what it takes of the credit; `nil` where it was read back.
    mutating func take(_ bytes: [UInt8], size: Int?) {
        hash.update(bytes.span.bytes)
        position += UInt64(bytes.count)
        if let size { writing.append(size) }
    }

    /// The channel was cut: what is being written is no matter of the next one's credit.
    mutating func forgetCredit() { writing = Deque(repeating: 0, count: writing.count) }
}
