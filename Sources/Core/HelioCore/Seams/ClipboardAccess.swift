/// A machine's clipboard: a seam that each platform implements.
///
/// Only the formats of content copied on this machine are announced; the content is read when somebody pastes on another
/// machine. Content that is copied on another machine is put on this clipboard as an offer, and requested when a
/// program of this machine pastes.
/// ```
///   a program copies                       ->  .changed(serial, entries)
///   read(format, of: serial, as: id)       ->  .content(id, ...)
///
///   offer(entries)
///   a program pastes                       ->  .wanted(paste, format)
///   provide(paste, ...)
/// ```
/// Calls come from any thread and return at once. Events arrive one at a time, on a thread of the clipboard's own, at
/// the handler that was passed when the clipboard was opened, which must not block; none arrives after `stop` has
/// returned. Content that this object itself puts on the clipboard is never reported as a change.
package protocol ClipboardAccess: AnyObject, Sendable {
    /// Puts an offer on the clipboard, in place of the current content or an earlier offer.
    ///
    /// - Parameter entries: at least one; with unique formats.
    func offer(_ entries: [ClipboardEntry])
    /// Withdraws the offer and leaves the clipboard empty. Content that somebody has copied since the offer stays.
    func withdraw()

    /// Requests content of the clipboard. One `content` event answers within some seconds, unless the system itself no
    /// longer responds.
    ///
    /// - Parameters:
    ///   - serial: the state to read; the read fails as `gone` if other content has been copied since.
    ///   - limit: the most bytes; a read of more fails as `tooLarge` while the bytes arrive.
    func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID)

    /// Answers a `wanted` event. An unknown or expired paste is ignored.
    func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>)

    /// Releases the clipboard and ends the thread. Returns within two seconds, even if the system hangs.
    func stop()

    /// An identifier of the system's clipboard: equal for all objects that open the same clipboard, and different from
    /// that of any other. `nil` if the clipboard has none.
    var place: String? { get }

    /// Counts of events so far; never content.
    var statistics: ClipboardAccessStatistics { get }
}
