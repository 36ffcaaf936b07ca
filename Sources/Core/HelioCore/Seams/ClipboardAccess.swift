/// A machine's clipboard: a seam that each platform implements.
///
/// The clipboard announces only the formats of content copied on this machine; the content is read when it is pasted on
/// another machine. Content that is copied on another machine is put on this clipboard as an offer, and requested when
/// a program of this machine pastes.
/// ```
///   a program copies                       ->  .changed(serial, entries)
///   read(format, of: serial, as: id)       ->  .content(id, ...)
///
///   offer(entries)
///   a program pastes                       ->  .wanted(paste, format)
///   provide(paste, ...)
/// ```
/// Methods may be called on any thread and return at once. The handler that was passed when the clipboard was opened
/// receives events one at a time, on the clipboard's own thread, and must not block; it receives none after `stop` has
/// returned. Content that this object itself puts on the clipboard is never reported as a change.
package protocol ClipboardAccess: AnyObject, Sendable {
    /// Puts an offer on the clipboard, in place of the current content or an earlier offer.
    ///
    /// - Parameter entries: at least one entry; no format may occur twice.
    func offer(_ entries: [ClipboardEntry])
    /// Withdraws the offer and leaves the clipboard empty. Content that was copied since the offer remains.
    func withdraw()

    /// Requests content of the clipboard. One `content` event answers within some seconds, unless the system itself no
    /// longer responds.
    ///
    /// - Parameters:
    ///   - serial: the state to read; the read fails as `gone` if other content has been copied since.
    ///   - limit: the maximum number of bytes; the read fails as `tooLarge` as soon as they are exceeded.
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

/// An event of a machine's clipboard, such as a copy or a paste by one of its programs.
package enum ClipboardEvent: Sendable {
    /// A program has copied something, or the content is gone. An empty list means that no content is available, or
    /// that the content is marked as a secret.
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

/// Counts of a machine's clipboard; never content.
package struct ClipboardAccessStatistics: Sendable {
    /// The number of reported changes.
    package var changes = 0
    /// The number of reads that returned content.
    package var reads = 0
    package var bytesRead = 0
    /// The number of times that a program on this machine pasted and was given content.
    package var pastes = 0
    package var bytesPasted = 0
    /// Drops, counted by reason.
    package var drops: [String: Int] = [:]

    package init() {}
}

extension ClipboardAccessStatistics {
    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.changes += b.changes
        sum.reads += b.reads
        sum.bytesRead += b.bytesRead
        sum.pastes += b.pastes
        sum.bytesPasted += b.bytesPasted
        sum.drops.add(b.drops)
        return sum
    }
}
