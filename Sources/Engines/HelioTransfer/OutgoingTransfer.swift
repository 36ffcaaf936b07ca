import HelioCore
import HelioTransferWire

/// A clipboard content being sent: read from this machine's clipboard, then sent in pieces as far as there is credit.
struct OutgoingTransfer {
    let id: TransferID
    /// The read that brings the content.
    let read: ClipboardReadID
    let format: ClipboardFormat
    let begun: Instant
    var lastProgress: Instant
    /// The content, once it is read.
    var content: [UInt8]?
    private(set) var sentCount = 0
    var credit = 0
    /// True once the transfer is cancelled, and only its read is awaited. Cancelled transfers count towards the limit
    /// of `ClipboardSettings.transfers`.
    var isCancelled = false

    init(_ id: TransferID, read: ClipboardReadID, format: ClipboardFormat, now: Instant) {
        self.id = id
        self.read = read
        self.format = format
        begun = now
        lastProgress = now
    }

    var bufferedBytes: Int { content?.count ?? 0 }

    /// The bytes of the next piece, 0 for an empty content; `nil` if there is none to be sent now.
    var nextSize: Int? {
        guard let content, !isCancelled else { return nil }
        let size = min(content.count - sentCount, credit - sentCount, TransferMessage.mostData)
        return size > 0 || content.isEmpty ? size : nil
    }

    /// Cuts the next piece off.
    ///
    /// - Parameter size: at most `nextSize`.
    mutating func takePiece(_ size: Int, now: Instant) -> TransferMessage? {
        guard let content else { return nil }
        let piece = Array(content[sentCount..<sentCount + size])
        sentCount += size
        lastProgress = now
        return .data(id, isLast: isComplete, piece)
    }

    var isComplete: Bool { content?.count == sentCount }
}
