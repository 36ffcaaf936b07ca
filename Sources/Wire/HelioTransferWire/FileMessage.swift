import HelioCore

/// A message about files, on the transfer channel that also carries the clipboard's ``TransferMessage``.
///
/// A batch of files and folders is offered, accepted, and sent one entry after the other. If the channel is lost, the
/// sender offers the same batch on the next channel, and the receiver states where to resume. All numbers are
/// little-endian; the first byte is the kind, and eight bytes of the batch's identifier follow. From the sender:
/// ```
///  16 offer:   FileOffer
///  17 entry:   batch u64 | index u32 | FileEntry      the next file or folder
///  18 begin:   batch u64 | offset u64                 the answer to `want`: data start at the wanted offset, or at 0
///  19 data:    batch u64 | bytes, 1 to 15360          the next chunk of the file
///  20 end:     batch u64 | SHA-256, 32 bytes          the end of the file, with its digest
///  21 skip:    batch u64 | index u32 | reason         the sender sends nothing (more) of the file
///  22 withdraw: batch u64 | reason                    the sender sends nothing (more) of the batch
/// ```
/// and from the receiver:
/// ```
///  24 accept:  batch u64 | next u32 | failed u32      send from entry `next` on; `failed` of the earlier ones failed
///  25 refuse:  batch u64 | reason                     the receiver wants nothing (more) of the batch
///  26 want:    batch u64 | index u32 | offset u64 | SHA-256 of the bytes before `offset`, if that is above 0
///  27 credit:  batch u64 | total u64                  the bytes of kinds 17 to 21 that may be sent on this channel
///  28 verdict: batch u64 | index u32 | reason         for each entry, in order; reason 0: stored completely
/// ```
/// A file of less than ``resumableSize`` bytes is sent at once. For a larger file, the receiver first states the number
/// of bytes that it already has, with their digest, by which the sender verifies that they are the beginning of the
/// same file.
/// ```
///   sender:    offer          entry data end  entry        begin data data      data end
///   receiver:         accept                        want             credit              verdict verdict
/// ```
package enum FileMessage: Hashable, Sendable {
    case offer(FileOffer)
    case entry(BatchID, index: UInt32, FileEntry)
    case begin(BatchID, offset: UInt64)
    case data(BatchID, [UInt8])
    case end(BatchID, FileDigest)
    case skip(BatchID, index: UInt32, FileRefusal)
    case withdraw(BatchID, FileRefusal)
    case accept(BatchID, next: UInt32, failed: UInt32)
    case refuse(BatchID, FileRefusal)
    /// The digest is that of the file's first `offset` bytes; `nil` if `offset` is 0.
    case want(BatchID, index: UInt32, offset: UInt64, FileDigest?)
    case credit(BatchID, total: UInt64)
    case verdict(BatchID, index: UInt32, FileRefusal?)

    /// The maximum number of a file's bytes in one message.
    package static let mostData = 15 * 1024
    /// The size of a data message before its content, in bytes.
    package static let dataHeaderSize = 9
    /// The minimum size in bytes of files that are resumed after an interruption.
    package static let resumableSize: UInt64 = 256 * 1024

    /// Returns true for a message about files; other messages of the transfer channel are the clipboard's.
    package static func isAboutFiles(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 >= 16 } ?? false }

    /// Parses a whole message from an untrusted sender.
    package init(parsing bytes: RawSpan) throws(TransferWireError) {
        guard bytes.byteCount <= Self.dataHeaderSize + Self.mostData else { throw .tooLarge }
        var offset = TransferOffset()
        let kind = try bytes.take8(&offset)
        if kind == 16 {
            self = .offer(try FileOffer(bytes, &offset))
        } else {
            guard (17...22).contains(kind) || (24...28).contains(kind) else { throw .unknownKind }
            self = try Self.message(kind, BatchID(try bytes.take64(&offset)), bytes, &offset)
        }
        guard offset.value == bytes.byteCount else { throw .trailingBytes }
    }

    private static func message(
        _ kind: UInt8, _ batch: BatchID, _ bytes: RawSpan, _ offset: inout TransferOffset
    ) throws(TransferWireError) -> Self {
        switch kind {
        case 17:
            let index = try bytes.take32(&offset)
            return .entry(batch, index: index, try FileEntry(bytes, &offset))
        case 18: return .begin(batch, offset: try takeSize(bytes, &offset))
        case 19:
            let content = try bytes.takeRest(&offset)
            guard !content.isEmpty else { throw .badValue }
            return .data(batch, content)
        case 20: return .end(batch, try FileDigest(bytes, &offset))
        case 21:
            let index = try bytes.take32(&offset)
            return .skip(batch, index: index, try takeReason(bytes, &offset))
        case 22: return .withdraw(batch, try takeReason(bytes, &offset))
        case 24:
            let next = try bytes.take32(&offset)
            let failed = try bytes.take32(&offset)
            guard failed <= next else { throw .badValue }
            return .accept(batch, next: next, failed: failed)
        case 25: return .refuse(batch, try takeReason(bytes, &offset))
        case 26:
            let index = try bytes.take32(&offset)
            let from = try takeSize(bytes, &offset)
            return .want(batch, index: index, offset: from, from == 0 ? nil : try FileDigest(bytes, &offset))
        case 27: return .credit(batch, total: try bytes.take64(&offset))
        default:
            let index = try bytes.take32(&offset)
            let code = try bytes.take8(&offset)
            if code == 0 { return .verdict(batch, index: index, nil) }
            guard let reason = FileRefusal(rawValue: code) else { throw .badValue }
            return .verdict(batch, index: index, reason)
        }
    }

    private static func takeReason(
        _ bytes: RawSpan, _ offset: inout TransferOffset
    ) throws(TransferWireError) -> FileRefusal {
        guard let reason = FileRefusal(rawValue: try bytes.take8(&offset)) else { throw .badValue }
        return reason
    }

    private static func takeSize(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) -> UInt64 {
        let size = try bytes.take64(&offset)
        guard size <= FileEntry.mostBytes else { throw .badValue }
        return size
    }

    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        bytes.append(kind)
        if case .offer(let offer) = self {
            offer.append(to: &bytes)
            return bytes
        }
        bytes.append(littleEndian: batch.rawValue)
        switch self {
        case .offer: break
        case .entry(_, let index, let entry):
            bytes.append(littleEndian: index)
            entry.append(to: &bytes)
        case .begin(_, let offset): bytes.append(littleEndian: offset)
        case .data(_, let content):
            precondition((1...Self.mostData).contains(content.count), "content is cut before it gets here")
            bytes += content
        case .end(_, let digest): bytes += digest.bytes
        case .skip(_, let index, let reason):
            bytes.append(littleEndian: index)
            bytes.append(reason.rawValue)
        case .withdraw(_, let reason), .refuse(_, let reason): bytes.append(reason.rawValue)
        case .accept(_, let next, let failed):
            bytes.append(littleEndian: next)
            bytes.append(littleEndian: failed)
        case .want(_, let index, let offset, let digest):
            precondition((offset == 0) == (digest == nil), "a digest of nothing is not sent")
            bytes.append(littleEndian: index)
            bytes.append(littleEndian: offset)
            bytes += digest?.bytes ?? []
        case .credit(_, let total): bytes.append(littleEndian: total)
        case .verdict(_, let index, let reason):
            bytes.append(littleEndian: index)
            bytes.append(reason?.rawValue ?? 0)
        }
        return bytes
    }

    /// The batch to which the message belongs.
    package var batch: BatchID {
        switch self {
        case .offer(let offer): offer.batch
        case .entry(let batch, _, _), .begin(let batch, _), .data(let batch, _), .end(let batch, _),
            .skip(let batch, _, _), .withdraw(let batch, _), .accept(let batch, _, _), .refuse(let batch, _),
            .want(let batch, _, _, _), .credit(let batch, _), .verdict(let batch, _, _):
            batch
        }
    }

    private var kind: UInt8 {
        switch self {
        case .offer: 16
        case .entry: 17
        case .begin: 18
        case .data: 19
        case .end: 20
        case .skip: 21
        case .withdraw: 22
        case .accept: 24
        case .refuse: 25
        case .want: 26
        case .credit: 27
        case .verdict: 28
        }
    }

    /// The size on the wire, in bytes.
    package var size: Int {
        switch self {
        case .offer(let offer): 1 + offer.wireSize
        case .entry(_, _, let entry): 13 + entry.wireSize
        case .begin, .credit, .accept: 17
        case .data(_, let content): Self.dataHeaderSize + content.count
        case .end: 9 + FileDigest.size
        case .skip, .verdict: 14
        case .withdraw, .refuse: 10
        case .want(_, _, _, let digest): 21 + (digest == nil ? 0 : FileDigest.size)
        }
    }
}
