/// An event of a machine's clipboard.
package enum ClipboardEvent: Sendable {
    /// A program has copied something, or the content is gone. Without entries no content is available, which is also
    /// the case for content that is marked as a secret.
    case changed(ClipboardSerial, [ClipboardEntry])
    /// A program pastes content of the current offer. `provide` answers; the program waits only for some seconds.
    case wanted(PasteID, ClipboardFormat)
    /// The program that pasted is gone, or has stopped waiting, so that an answer is no longer needed.
    case unwanted(PasteID)
    /// The answer to a `read`.
    case content(ClipboardReadID, Result<[UInt8], ClipboardFailure>)
    /// The system's clipboard is gone permanently, for example with its display. The last event.
    case lost(HelioError)
}
