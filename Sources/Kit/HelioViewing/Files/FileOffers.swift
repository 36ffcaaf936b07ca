private import Synchronization

/// The offers of files that nobody has answered, in their order.
public final class FileOffers: Sendable {
    private let waiting = Mutex<[FileBatch]>([])

    /// Makes a list without any.
    public init() {}

    /// Follows what happens: an offer that was answered anywhere, or lapsed, is none any more.
    ///
    /// - Parameter event: each event of a `SharedFiles`, in order.
    public func follow(_ event: FileEvent) {
        switch event {
        case .offered(let batch): waiting.withLock { $0.append(batch) }
        case .lapsed(let batch), .progress(let batch), .ended(let batch, _, _, _):
            waiting.withLock { $0.removeAll { $0.id == batch.id } }
        case .file, .leftOut: break
        }
    }

    /// The oldest; `nil` where there is none.
    public var first: FileBatch? { waiting.withLock { $0.first } }

    /// Takes the oldest, to answer it; `nil` where there is none.
    public func takeFirst() -> FileBatch? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
