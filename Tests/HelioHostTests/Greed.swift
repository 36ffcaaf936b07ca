import HelioCore
import HelioRTSP
import HelioTransferWire

/// Messages of an admitted but malicious peer: random bytes, and valid messages in excess.
enum Greed {
    /// The longest random message in bytes: a frame on a connection has up to 65,535.
    private static let longest = 60_000

    /// The clipboards' terms: contents up to 1 MiB.
    static let clipboard = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 1 << 20)
    /// The most bytes of content that an end holds by these terms: 4 contents may be in transfer in each direction, and
    /// the content of a peer that leaves may be kept.
    static let mostClipboard = 10 << 20

    /// The programs at the end under test, which paste and copy, and its clipboard, which answers every request.
    struct Programs {
        /// The number of pastes.
        private(set) var pastes: UInt64 = 0
        private var reads = 0

        mutating func act(turn: Int, orders: () -> [ClipboardOrder], tell: (ClipboardEvent) -> Void) {
            if turn % 100 == 0 {
                pastes += 1
                tell(.wanted(PasteID(pastes), .text))
            }
            if turn % 400 == 0 { tell(.changed(ClipboardSerial(UInt64(turn) + 1), [ClipboardEntry(.text, size: nil)])) }
            while reads < orders().count {
                if case .read(_, _, _, let read) = orders()[reads] {
                    tell(.content(read, .success([UInt8](repeating: 0x41, count: 1 << 20))))
                }
                reads += 1
            }
        }
    }

    /// A request with more headers than any program sends.
    static func wordyRequest(_ uri: String, cSeq: Int = 1) -> RTSPRequest {
        var headers: RTSPHeaders = ["CSeq": "\(cSeq)"]
        for number in 0..<60 { headers.append("X-\(number)", String(repeating: "x", count: 500)) }
        return RTSPRequest(.options, uri: uri, headers: headers)
    }

    /// Random bytes.
    ///
    /// - Parameter first: the value of the first byte; `nil` for a random one.
    static func junk(
        _ generator: inout SeededGenerator, from first: UInt8? = nil, most: Int = longest
    ) -> [UInt8] {
        let count = Int.random(in: 1...most, using: &generator)
        var bytes = [UInt8](repeating: UInt8.random(in: .min ... .max, using: &generator), count: count)
        for index in 0..<min(16, count) { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
        if let first { bytes[0] = first }
        return bytes
    }

    /// A well-formed interleaved frame.
    static func frame(_ channel: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        RTSPMessage.interleaved(channel: channel, bytes).serialised()
    }

    /// A clipboard message, also in answer to the other end's requests, and without regard to its credit.
    ///
    /// - Parameter pastes: the number of pastes at the other end, which numbers its requests from 1.
    static func clipboardMessage(_ generator: inout SeededGenerator, _ pastes: UInt64) -> TransferMessage {
        let id = TransferID(UInt32.random(in: 1...UInt32(pastes + 1), using: &generator))
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return .terms(ClipboardTerms(maySend: true, mayReceive: true, mostBytes: .max))
        case 1...2:
            let entries = [ClipboardEntry(.text), ClipboardEntry(.html), ClipboardEntry(.png, size: 5)]
            return .offer(ClipboardOffer(serial: UInt32.random(in: 0...9, using: &generator), entries: entries))
        case 3...4:
            let own = TransferID(UInt32.random(in: .min ... .max, using: &generator))
            return .request(own, serial: UInt32.random(in: 0...40, using: &generator), .text)
        case 5: return .credit(id, total: UInt32.random(in: .min ... .max, using: &generator))
        case 6: return .refuse(id, .busy)
        case 7: return .cancel(id)
        case 8: return Bool.random(using: &generator) ? .kept : .leaving
        default:
            let isLast = Int.random(in: 0..<100, using: &generator) == 0
            return .data(id, isLast: isLast, [UInt8](repeating: 0x41, count: TransferMessage.mostData))
        }
    }

    /// A message about files, in any order.
    static func fileMessage(_ generator: inout SeededGenerator) -> FileMessage {
        let batch = BatchID(UInt64.random(in: 0...20, using: &generator))
        let number = UInt32.random(in: 0...20, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .offer(FileOffer(batch, count: 1 + number, bytes: 1 << 40, name: "a"))
        case 1: return .entry(batch, index: number, FileEntry(path: ["a", "b"], size: 1 << 40))
        case 2: return .begin(batch, offset: UInt64(number))
        case 3: return .end(batch, FileDigest([UInt8](repeating: 1, count: FileDigest.size)))
        case 4: return .skip(batch, index: number, .cancelled)
        case 5: return .accept(batch, next: number, failed: 0)
        case 6: return .want(batch, index: number, offset: 0, nil)
        case 7: return .credit(batch, total: .max)
        default: return .data(batch, [UInt8](repeating: 2, count: FileMessage.mostData))
        }
    }
}
