/// A machine's clipboard: the seam that a platform fills.
///
/// What is copied here is only announced, by its formats; content is read when somebody elsewhere pastes. What is copied
/// elsewhere is put on this clipboard as an offer; its content is asked for when a program of this machine pastes.
/// ```
///   a program copies                       ->  .changed(serial, entries)
///   read(format, of: serial, as: id)       ->  .content(id, ...)
///
///   offer(entries)
///   a program pastes                       ->  .wanted(paste, format)
///   provide(paste, ...)
/// ```
/// Calls come from any thread and return at once. Events come one at a time, on a thread of the clipboard's own, to
/// the handler that it was opened with, which must not block; none comes once `stop` has returned. What this object
/// itself puts on the clipboard is never reported as a change.
package protocol ClipboardAccess: AnyObject, Sendable {
    /// Puts an offer on the clipboard in the place of what is there. The newest offer counts.
    ///
    /// - Parameter entries: at least one; a format comes once.
    func offer(_ entries: [ClipboardEntry])
    /// Takes back the offer, if it is still there: the clipboard is empty then. What somebody copied since stays.
    func withdraw()

    /// Asks for content of the clipboard. One `content` event answers, within some seconds, but where the system itself
    /// answers nothing any more.
    ///
    /// - Parameters:
    ///   - serial: the state that it is to be of; fails as `gone` where something else was copied since.
    ///   - limit: the most bytes; more of them fail as `tooLarge`, while they come.
    func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID)

    /// Answers a `wanted` event. One that is unknown, or no longer waited for, is left alone.
    func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>)

    /// Lets go of the clipboard and ends the thread. Returns within two seconds, whatever the system does.
    func stop()

    /// A name of the clipboard itself: the same for all who open it, and for no other clipboard. `nil` where it has none.
    var place: String? { get }

    /// Counts of what has happened so far; never content.
    var statistics: ClipboardAccessStatistics { get }
}
