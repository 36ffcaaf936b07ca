import HelioCore
import HelioProtection
import HelioTransferWire

/// A file on its way to the other end: read here, hashed, and sent as far as there is credit.
struct OutgoingFile {
    enum Phase: Equatable {
        /// The disk opens it.
        case opening
        /// The other end is to be told of it.
        case announcing
        /// The other end says what it has already.
        case asked
        /// The other end has so many bytes: are they the beginning of this file?
        case checking(upTo: UInt64, FileDigest)
        case beginning
        case sending
        /// It does not come: the other end is to be told.
        case skipping(FileRefusal)
    }

    /// The bytes of one read.
    static let readSize = 4 * FileMessage.mostData
    /// The distance of the places to which hashing can go back, in bytes: more than can be on its way.
    private static let checkpointDistance: UInt64 = 4 << 20

    let entry: FileEntry
    /// `nil` for a folder.
    let job: DiskJob?
    var phase: Phase
    /// The place up to which it is sent.
    private(set) var sent: UInt64 = 0
    /// What is read and not sent: the bytes from `sent` on.
    private var buffer: [UInt8] = []
    private var bufferStart = 0
    private let emptyHash: any IncrementalHash
    private var hash: any IncrementalHash
    private(set) var hashed: UInt64 = 0
    /// Where hashing can go back to: the newest two.
    private var checkpoints: [(at: UInt64, hash: any IncrementalHash)] = []
    /// The read that is under way, and whether it is of use yet.
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

    /// Sends it anew, on a new channel: what is read and not sent is read again.
    mutating func announceAgain() {
        switch phase {
        case .opening, .skipping: break
        default: phase = .announcing
        }
        // How far it was stays to be told until the other end says where it stands.
        forget()
    }

    private mutating func forget() {
        buffer = []
        bufferStart = 0
        isReadStale = reading != nil
    }

    /// Sends from the beginning.
    mutating func begin() {
        forget()
        sent = 0
        goBack(to: 0)
    }

    /// Looks whether the other end has the beginning of this file.
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

    /// The read that is to be made now.
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

    /// Takes what was read. Returns false where that is not what was asked for.
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

    /// Cuts the next piece off.
    ///
    /// - Parameter count: at most `bufferedBytes`.
    mutating func takePiece(_ count: Int) -> [UInt8] {
        let piece = Array(buffer[bufferStart..<bufferStart + count])
        bufferStart += count
        sent += UInt64(count)
        return piece
    }
}
