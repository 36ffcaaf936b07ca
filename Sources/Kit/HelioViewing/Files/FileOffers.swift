internal import HelioCore
internal import HelioLoop
private import Synchronization

/// The offers of files that nobody has answered, in their order.
public final class FileOffers: Sendable {
    /// What a key that answers an offer means.
    public enum Answered: Sendable {
        /// This offer: the one that was shown last.
        case offer(FileBatch)
        /// None: the last one was shown only just, and the key was meant for what was there before.
        case tooSoon
        /// None: nobody offers files.
        case nothing
    }

    /// How long an offer is on the screen before a key is an answer to it.
    static let readingTime = Duration.seconds(1)

    private struct Offer {
        var batch: FileBatch
        var shown: Instant
    }

    private let waiting = Mutex<[Offer]>([])
    private let now: @Sendable () -> Instant

    /// Makes a list without any.
    public convenience init() { self.init { MonotonicClock.now } }

    init(now: @escaping @Sendable () -> Instant) { self.now = now }

    /// Follows what happens: an offer that was answered anywhere, or lapsed, is none any more.
    ///
    /// - Parameter event: each event of a `SharedFiles`, in order.
    public func follow(_ event: FileEvent) {
        switch event {
        case .offered(let batch): waiting.withLock { [now] in $0.append(Offer(batch: batch, shown: now())) }
        case .lapsed(let batch), .progress(let batch), .ended(let batch, _, _, _):
            waiting.withLock { $0.removeAll { $0.batch.id == batch.id } }
        case .file, .leftOut: break
        }
    }

    /// The one that was offered last; `nil` where there is none.
    public var last: FileBatch? { waiting.withLock { $0.last?.batch } }

    /// Those of whoever has this name, in their order.
    ///
    /// - Parameter name: what the other end is called; `nil`: anybody.
    func all(from name: String?) -> [FileBatch] {
        waiting.withLock { $0.map(\.batch).filter { name == nil || $0.peer == name } }
    }

    /// Takes the one that was shown last, to answer it. The one before it is to be shown again: it is the last then.
    public func takeShown() -> Answered {
        waiting.withLock { [now] waiting in
            guard let last = waiting.last else { return .nothing }
            let time = now()
            guard time - last.shown >= Self.readingTime else { return .tooSoon }
            waiting.removeLast()
            if !waiting.isEmpty { waiting[waiting.count - 1].shown = time }
            return .offer(last.batch)
        }
    }
}
