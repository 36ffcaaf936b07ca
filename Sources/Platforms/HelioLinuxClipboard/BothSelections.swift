package import HelioCore
import Synchronization

/// Combines a display's CLIPBOARD and PRIMARY into one clipboard: the content is the latest copy or selection, and
/// the other machine's offer can be pasted from both.
package final class BothSelections: ClipboardAccess {
    private let copied: any ClipboardAccess
    private let marked: any ClipboardAccess

    /// The mask of an ID's lowest bit, which identifies the selection: 0 for CLIPBOARD, 1 for PRIMARY.
    private static let bit: UInt64 = 1

    /// Opens both selections of an X server; the parameters and errors are those of `X11Clipboard`.
    package convenience init(
        display: String?, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) {
        try self.init(handler) { selection, handler throws(HelioError) in
            var options = X11ClipboardOptions()
            options.selection = selection
            return try X11Clipboard(display: display, options: options, handler: handler)
        }
    }

    /// Opens both selections.
    ///
    /// - Parameter open: opens one of them, whose events it passes to the handler.
    init(
        _ handler: @escaping @Sendable (ClipboardEvent) -> Void,
        _ open: (X11Selection, @escaping @Sendable (ClipboardEvent) -> Void) throws(HelioError) -> any ClipboardAccess
    ) throws(HelioError) {
        // The two selections have a thread each, so a lock makes the handler get one event at a time.
        let turn = Mutex(())
        let pass: @Sendable (ClipboardEvent, UInt64) -> Void = { event, bit in
            turn.withLock { _ in handler(event.numbered(bit)) }
        }
        copied = try open(.clipboard) { pass($0, 0) }
        do throws(HelioError) {
            marked = try open(.primary) { pass($0, Self.bit) }
        } catch {
            copied.stop()
            throw error
        }
    }

    package var place: String? { copied.place }

    package func offer(_ entries: [ClipboardEntry]) {
        copied.offer(entries)
        marked.offer(entries)
    }

    package func withdraw() {
        copied.withdraw()
        marked.withdraw()
    }

    package func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID) {
        half(serial.rawValue).read(format, of: ClipboardSerial(serial.rawValue >> 1), limit: limit, as: id)
    }

    package func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        half(paste.rawValue).provide(PasteID(paste.rawValue >> 1), content)
    }

    package func stop() {
        copied.stop()
        marked.stop()
    }

    package var statistics: ClipboardAccessStatistics { copied.statistics + marked.statistics }

    private func half(_ number: UInt64) -> any ClipboardAccess { number & Self.bit == 0 ? copied : marked }
}

extension ClipboardEvent {
    /// Returns the event with its IDs extended by a selection's bit. IDs of reads are not changed, because the caller
    /// chooses them.
    fileprivate func numbered(_ bit: UInt64) -> ClipboardEvent {
        switch self {
        case .changed(let serial, let entries): .changed(ClipboardSerial(serial.rawValue << 1 | bit), entries)
        case .wanted(let paste, let format): .wanted(PasteID(paste.rawValue << 1 | bit), format)
        case .unwanted(let paste): .unwanted(PasteID(paste.rawValue << 1 | bit))
        case .content, .lost: self
        }
    }
}
