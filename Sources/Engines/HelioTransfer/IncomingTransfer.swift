import HelioCore
import HelioTransferWire

/// One content on its way from the other end, for a program that pastes here.
struct IncomingTransfer {
    let id: TransferID
    /// The paste that waits for it; `nil`: it is kept, as the other end is about to leave.
    let paste: PasteID?
    /// The offer that it is of.
    let serial: UInt32
    let format: ClipboardFormat
    let begun: Instant
    var lastProgress: Instant
    var isRequested = false
    var content: [UInt8] = []
    /// The bytes that may come in total.
    private(set) var credit = 0
    /// True where the other end has to be told of the credit.
    var isCreditDue = false

    init(
        _ id: TransferID, _ paste: PasteID?, serial: UInt32, format: ClipboardFormat, now: Instant
    ) {
        self.id = id
        self.paste = paste
        self.serial = serial
        self.format = format
        begun = now
        lastProgress = now
    }

    /// Gives more credit where half of the window is used up.
    ///
    /// - Parameter limit: the most bytes of the content. One more is let in: by that it is found too large, at once.
    mutating func giveCredit(window: Int, limit: Int) {
        guard credit - content.count <= window / 2 else { return }
        let total = min(content.count + window, limit + 1)
        guard total > credit else { return }
        credit = total
        isCreditDue = true
    }
}
