/// What a machine's clipboard tells.
package enum ClipboardEvent: Sendable {
    /// A program has copied something, or what was there is gone. Nothing is to be had where there are no entries; what
    /// is marked as a secret has none either.
    case changed(ClipboardSerial, [ClipboardEntry])
    /// A program pastes: it wants content of the present offer. `provide` answers; a program waits for some seconds
    /// only.
    case wanted(PasteID, ClipboardFormat)
    /// The program that pasted is gone, or has waited for too long: an answer is of no use any more.
    case unwanted(PasteID)
    /// The answer to a `read`.
    case content(ClipboardReadID, Result<[UInt8], ClipboardFailure>)
    /// The system's clipboard is gone for good, as with the display that it belongs to. The last event.
    case lost(HelioError)
}
