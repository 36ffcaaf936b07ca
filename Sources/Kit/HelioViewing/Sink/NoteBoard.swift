private import Synchronization

/// Queues notes for the user: any thread adds them, and the viewer's thread shows them.
final class NoteBoard: Sendable {
    private let notes = Mutex<[String]>([])
    private let bell: @Sendable () -> Void

    /// - Parameter bell: called on any thread when a note is queued.
    init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

    func put(_ note: String) {
        notes.withLock { $0.append(note) }
        bell()
    }

    func takeAll() -> [String] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}
