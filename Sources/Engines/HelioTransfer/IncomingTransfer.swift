import HelioCore
import HelioTransferWire

/// The transfer of one clipboard content from the peer, for a program on this machine that pastes it, or to be stored.
struct IncomingTransfer {
    let id: TransferID
    /// The paste that waits for the content; `nil` if there is none yet.
    var paste: PasteID?
    /// True if the content is fetched without a paste, to remain available once the peer has left.
    var isKept: Bool
    /// The serial number of the offer that the content belongs to.
    let serial: UInt32
    let format: ClipboardFormat
    let begun: Instant
    var lastProgress: Instant
    var isRequested = false
    var content: [UInt8] = []
    /// The number of bytes that the peer may send in total.
    private(set) var credit = 0
    /// True if new credit has to be sent to the peer.
    var isCreditDue = false

    init(
        _ id: TransferID, _ paste: PasteID?, isKept: Bool, serial: UInt32, format: ClipboardFormat, now: Instant
    ) {
        self.id = id
        self.paste = paste
        self.isKept = isKept
        self.serial = serial
        self.format = format
        begun = now
        lastProgress = now
    }

    /// Grants more credit once half of the window is used up.
    ///
    /// - Parameter limit: the maximum size of the content in bytes. Credit is granted for one byte more, so that larger
    ///   content is detected at once.
    mutating func giveCredit(window: Int, limit: Int) {
        guard credit - content.count <= window / 2 else { return }
        let total = min(content.count + window, limit + 1)
        guard total > credit else { return }
        credit = total
        isCreditDue = true
    }
}
