package import HelioCore

/// A message about the clipboard, on the transfer channel, which carries content separately from video, sound and
/// input. Files have other messages (``FileMessage``).
///
/// The channel is reliable, ordered and message-based. The first byte is the kind: 1 ``ClipboardTerms``, 2
/// ``ClipboardOffer``, which have their own diagrams, and
/// ```
///   3 request: from the end that pastes to the end that copied
///   0      1              5            9        10
///   +------+--------------+------------+--------+
///   |  3   | transfer u32 | serial u32 | format |
///   +------+--------------+------------+--------+
///   4 data: the next chunk of the content; `last` is 0 or 1
///   0      1              5        6                   6 + n, n up to 16384
///   +------+--------------+--------+-------------------+
///   |  4   | transfer u32 |  last  |      bytes        |
///   +------+--------------+--------+-------------------+
///   5 credit: the total number of bytes of the transfer that may be sent
///   0      1              5            9
///   +------+--------------+------------+
///   |  5   | transfer u32 | total u32  |
///   +------+--------------+------------+
///   6 refuse: the sender sends nothing (more) of the transfer
///   0      1              5        6
///   +------+--------------+--------+
///   |  6   | transfer u32 | reason |
///   +------+--------------+--------+
///   7 cancel: the receiver wants nothing (more) of the transfer
///   0      1              5
///   +------+--------------+
///   |  7   | transfer u32 |
///   +------+--------------+
///   8 leaving: the session is about to end; an end with the sender's offer on its clipboard may fetch the content now
///   9 kept: the answer to 8: no more content is needed
///   0      1
///   +------+
///   | 8, 9 |
///   +------+
/// ```
/// Kinds from 16 on are ``FileMessage``. All numbers are little-endian.
///
/// A paste, from left to right in time:
/// ```
///   copies:   offer                       data  data          data, last
///   pastes:           request  credit                 credit
/// ```
package enum TransferMessage: Hashable, Sendable {
    case terms(ClipboardTerms)
    case offer(ClipboardOffer)
    /// A request for content in one of an offer's formats. The requester chooses the transfer's identifier.
    case request(TransferID, serial: UInt32, ClipboardFormat)
    /// A chunk of the requested content. Only the last chunk may be empty.
    case data(TransferID, isLast: Bool, [UInt8])
    /// The total number of bytes of the transfer that the sender may send. It never decreases.
    case credit(TransferID, total: UInt32)
    case refuse(TransferID, TransferRefusal)
    case cancel(TransferID)
    /// Announces that the sender is about to leave: its offer stays available only for a short time.
    case leaving
    /// The answer to `leaving`: all content that the peer wants has arrived there.
    case kept

    /// The maximum number of content bytes in one message.
    package static let mostData = 16 * 1024
    /// The size of a data message before its content, in bytes.
    package static let dataHeaderSize = 6
    /// The maximum size of a message, in bytes.
    package static let maximumSize = dataHeaderSize + mostData

    /// Parses a whole message from an untrusted sender.
    package init(parsing bytes: RawSpan) throws(TransferWireError) {
        guard bytes.byteCount <= Self.maximumSize else { throw .tooLarge }
        var offset = TransferOffset()
        switch try bytes.take8(&offset) {
        case 1: self = .terms(try ClipboardTerms(bytes, &offset))
        case 2: self = .offer(try ClipboardOffer(bytes, &offset))
        case 3:
            let id = TransferID(try bytes.take32(&offset))
            let serial = try bytes.take32(&offset)
            guard let format = ClipboardFormat(rawValue: try bytes.take8(&offset)) else { throw .badValue }
            self = .request(id, serial: serial, format)
        case 4:
            let id = TransferID(try bytes.take32(&offset))
            let isLast = try bytes.takeFlag(&offset)
            let content = try bytes.takeRest(&offset)
            guard isLast || !content.isEmpty else { throw .badValue }
            self = .data(id, isLast: isLast, content)
        case 5:
            let id = TransferID(try bytes.take32(&offset))
            self = .credit(id, total: try bytes.take32(&offset))
        case 6:
            let id = TransferID(try bytes.take32(&offset))
            guard let reason = TransferRefusal(rawValue: try bytes.take8(&offset)) else { throw .badValue }
            self = .refuse(id, reason)
        case 7: self = .cancel(TransferID(try bytes.take32(&offset)))
        case 8: self = .leaving
        case 9: self = .kept
        default: throw .unknownKind
        }
        guard offset.value == bytes.byteCount else { throw .trailingBytes }
    }

    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        switch self {
        case .terms(let terms):
            bytes.append(1)
            terms.append(to: &bytes)
        case .offer(let offer):
            bytes.append(2)
            offer.append(to: &bytes)
        case .request(let id, let serial, let format):
            bytes.append(3)
            bytes.append(littleEndian: id.rawValue)
            bytes.append(littleEndian: serial)
            bytes.append(format.rawValue)
        case .data(let id, let isLast, let content):
            precondition(content.count <= Self.mostData, "content is cut before it gets here")
            precondition(isLast || !content.isEmpty, "only the last piece may be empty")
            bytes.append(4)
            bytes.append(littleEndian: id.rawValue)
            bytes.append(isLast ? 1 : 0)
            bytes += content
        case .credit(let id, let total):
            bytes.append(5)
            bytes.append(littleEndian: id.rawValue)
            bytes.append(littleEndian: total)
        case .refuse(let id, let reason):
            bytes.append(6)
            bytes.append(littleEndian: id.rawValue)
            bytes.append(reason.rawValue)
        case .cancel(let id):
            bytes.append(7)
            bytes.append(littleEndian: id.rawValue)
        case .leaving: bytes.append(8)
        case .kept: bytes.append(9)
        }
        return bytes
    }

    /// The size on the wire, in bytes.
    package var size: Int {
        switch self {
        case .terms: 6
        case .offer(let offer): 6 + offer.entries.count * 5
        case .request: 10
        case .data(_, _, let content): Self.dataHeaderSize + content.count
        case .credit: 9
        case .refuse: 6
        case .cancel: 5
        case .leaving, .kept: 1
        }
    }
}
