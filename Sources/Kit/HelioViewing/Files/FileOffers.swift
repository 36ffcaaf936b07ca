internal import Heliograph
private import Synchronization

/// The offers of files that the person has not answered, in their order.
final class FileOffers: Sendable {
    private let waiting = Mutex<[FileBatch.ID]>([])

    func put(_ batch: FileBatch.ID) { waiting.withLock { $0.append(batch) } }

    func remove(_ batch: FileBatch.ID) { waiting.withLock { $0.removeAll { $0 == batch } } }

    func takeFirst() -> FileBatch.ID? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
