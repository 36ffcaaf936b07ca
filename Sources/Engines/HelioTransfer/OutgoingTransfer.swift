import HelioCore
import HelioTransferWire

/// The transfer of one clipboard content to the peer: read from this machine's clipboard, then sent as far as the peer
/// grants credit.
struct OutgoingTransfer {
    let id: TransferID
    /// The read of this machine's clipboard that yields the content.
    let read: ClipboardReadID
    let format: ClipboardFormat
    let begun: Instant
    var lastProgress: Instant
    /// The content; `nil` until it is read.
    var content: [UInt8]?
    private(set) var sentCount = 0
    var credit = 0
    /// True once the transfer is cancelled, and only the clipboard's answer to its read is awaited. Cancelled transfers
    /// count towards the limit of `ClipboardSettings.transfers`.
    var isCancelled = false

    init(_ id: TransferID, read: ClipboardReadID, format: ClipboardFormat, now: Instant) {
        self.id = id
        self.read = read
        self.format = format
        begun = now
        lastProgress = now
    }

    var bufferedBytes: Int { content?.count ?? 0 }

    /// The size of the next data message's content in bytes, which is 0 for empty content; `nil` if nothing can be sent
    /// now.
    var nextSize: Int? {
        guard let content, !isCancelled else { return nil }
        let size = min(content.count - sentCount, credit - sentCount, TransferMessage.mostData)
        return size > 0 || content.isEmpty ? size : nil
    }

    /// Returns the data message with the next `size` bytes, which count as sent.
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
