private import HelioLoop
private import Synchronization

/// Queues notes for the user: any thread adds them, and the viewer's thread shows them.
///
/// At most 64 notes are queued while that thread is blocked. Then the newest 32 different notes are kept; earlier ones
/// and repetitions are dropped and counted.
final class NoteBoard: DropCounting, Sendable {
    private struct Note: QueuedEvent {
        let text: String
        var standing: EventStanding { .repeated(text) }
    }

    private static let notesWaiting = 64

    private let notes = Mutex(EventQueue<Note>(capacity: NoteBoard.notesWaiting))
    private let bell: @Sendable () -> Void

    /// - Parameter bell: called on any thread when a note is queued.
    init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

    func put(_ note: String) {
        notes.withLock { $0.put(Note(text: note)) }
        bell()
    }

    func takeAll() -> [String] { notes.withLock { $0.takeAll() }.map(\.text) }

    /// The number of dropped notes by reason.
    var allDrops: [String: Int] { notes.withLock { $0.allDrops } }
}
