internal import DequeModule
private import Synchronization

/// What has happened to files, until a viewer's thread shows it; of too many the oldest go.
final class FileEventQueue: Sendable {
    private static let capacity = 1024

    private let waiting = Mutex(Deque<FileEvent>())

    func put(_ event: FileEvent) {
        waiting.withLock { waiting in
            // Of a batch's progress the newest is of interest.
            if case .progress(let batch) = event, case .progress(let last) = waiting.last, last.id == batch.id {
                waiting.removeLast()
            }
            if waiting.count == Self.capacity { waiting.removeFirst() }
            waiting.append(event)
        }
    }

    func takeAll() -> Deque<FileEvent> {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
