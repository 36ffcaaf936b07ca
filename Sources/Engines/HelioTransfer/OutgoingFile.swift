import HelioCore
import HelioProtection
import HelioTransferWire

/// The state of a file or folder that is being sent: the file is read from the disk, hashed, and sent as far as the
/// peer grants credit.
struct OutgoingFile {
    enum Phase: Equatable {
        /// The disk opens the file.
        case opening
        /// The entry has yet to be announced to the peer.
        case announcing
        /// The entry was announced; the peer's request is awaited, which contains the length of the part that the peer
        /// has.
        case asked
        /// The peer has this many bytes with this digest; the beginning of the file is hashed for comparison.
        case checking(upTo: UInt64, FileDigest)
        case beginning
        case sending
        /// The file can't be sent, and the peer has to be notified.
        case skipping(FileRefusal)
    }

    /// The maximum number of bytes of one read.
    static let readSize = 4 * FileMessage.mostData
    /// The distance of hash checkpoints in bytes: more than can be in flight.
    private static let checkpointDistance: UInt64 = 4 << 20

    let entry: FileEntry
    /// The file's job at the disk; `nil` for a folder.
    let job: DiskJob?
    var phase: Phase
    /// The number of bytes of the file that were sent, or that the peer had before.
    private(set) var sent: UInt64 = 0
    /// The bytes read from the file; those from `bufferStart` on are not sent yet.
    private var buffer: [UInt8] = []
    private var bufferStart = 0
    private let emptyHash: any IncrementalHash
    private var hash: any IncrementalHash
    private(set) var hashed: UInt64 = 0
    /// The two newest saved states of the hash, to which hashing can return.
    private var checkpoints: [(at: UInt64, hash: any IncrementalHash)] = []
    /// The read under way; `isReadStale` is true if its result is no longer needed.
    private(set) var reading: (offset: UInt64, count: Int)?
    private var isReadStale = false

    init(_ entry: FileEntry, job: DiskJob?, hash: any IncrementalHash) {
        self.entry = entry
        self.job = job
        phase = job == nil ? .announcing : .opening
        emptyHash = hash
        self.hash = hash
    }

    var bufferedBytes: Int { buffer.count - bufferStart }
    var isSent: Bool { sent == entry.size }
    var digest: FileDigest { FileDigest(hash.digest()) }

    /// Restarts with the announcement, for a new channel; buffered bytes are discarded and read again.
    mutating func announceAgain() {
        switch phase {
        case .opening, .skipping: break
        default: phase = .announcing
        }
        // Keep `sent` for the progress, until the peer reports its position.
        forget()
    }

    private mutating func forget() {
        buffer = []
        bufferStart = 0
        isReadStale = reading != nil
    }

    /// Starts to send from the beginning of the file.
    mutating func begin() {
        forget()
        sent = 0
        goBack(to: 0)
    }

    /// Begins to check whether the peer's part is the beginning of this file.
    mutating func check(upTo offset: UInt64, _ digest: FileDigest) {
        forget()
        goBack(to: offset)
        phase = .checking(upTo: offset, digest)
        finishCheck()
    }

    private mutating func goBack(to offset: UInt64) {
        let last = checkpoints.last { $0.at <= offset }
        (hashed, hash) = last.map { ($0.at, $0.hash) } ?? (0, emptyHash)
        checkpoints.removeAll { $0.at > hashed }
    }

    private mutating func finishCheck() {
        guard case .checking(let offset, let expected) = phase, hashed == offset else { return }
        phase = .beginning
        if digest == expected { sent = offset } else { begin() }
    }

    /// The next read to request from the disk; `nil` if there is none now.
    mutating func nextRead() -> (offset: UInt64, count: Int)? {
        guard reading == nil else { return nil }
        let end: UInt64
        switch phase {
        case .checking(let offset, _): end = offset
        case .beginning, .sending:
            guard bufferedBytes < Self.readSize else { return nil }
            end = entry.size
        default: return nil
        }
        guard hashed < end else { return nil }
        reading = (hashed, Int(min(UInt64(Self.readSize), end - hashed)))
        return reading
    }

    /// Buffers and hashes the bytes of a read. Returns false if their number does not fit the request.
    mutating func took(_ bytes: [UInt8]) -> Bool {
        guard let reading else { return true }
        self.reading = nil
        if isReadStale {
            isReadStale = false
            return true
        }
        guard (1...reading.count).contains(bytes.count) else { return false }
        hash.update(bytes.span.bytes)
        hashed += UInt64(bytes.count)
        if hashed - (checkpoints.last?.at ?? 0) >= Self.checkpointDistance {
            if checkpoints.count > 1 { checkpoints.removeFirst() }
            checkpoints.append((hashed, hash))
        }
        if case .checking = phase {
            finishCheck()
        } else {
            if bufferStart == buffer.count {
                buffer = bytes
            } else {
                buffer.removeFirst(bufferStart)
                buffer += bytes
            }
            bufferStart = 0
        }
        return true
    }

    /// Removes and returns the next bytes of the buffer, which count as sent.
    ///
    /// - Parameter count: at most `bufferedBytes`.
    mutating func takePiece(_ count: Int) -> [UInt8] {
        let piece = Array(buffer[bufferStart..<bufferStart + count])
        bufferStart += count
        sent += UInt64(count)
        return piece
    }
}
