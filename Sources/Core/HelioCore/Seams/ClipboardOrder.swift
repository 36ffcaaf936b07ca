/// A call to a machine's clipboard as a value: engines output it, and the owner of the clipboard executes it.
package enum ClipboardOrder: Sendable {
    case offer([ClipboardEntry])
    case withdraw
    case read(ClipboardFormat, of: ClipboardSerial, limit: Int, as: ClipboardReadID)
    case provide(PasteID, Result<[UInt8], ClipboardFailure>)
}

extension ClipboardAccess {
    package func carryOut(_ order: ClipboardOrder) {
        switch order {
        case .offer(let entries): offer(entries)
        case .withdraw: withdraw()
        case .read(let format, let serial, let limit, let id): read(format, of: serial, limit: limit, as: id)
        case .provide(let paste, let content): provide(paste, content)
        }
    }
}
