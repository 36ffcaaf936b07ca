internal import HelioCore
internal import HelioGround
private import Synchronization

/// The unanswered offers of files, oldest first.
public final class FileOffers: Sendable {
    /// The result of a key press that may answer an offer.
    public enum Answered: Sendable {
        /// The key answers this offer, which was shown last.
        case offer(FileBatch)
        /// The key answers nothing: the last offer had just appeared, so the key was not meant for it.
        case tooSoon
        /// The key answers nothing: there are no offers.
        case nothing
    }

    /// The time for which a question about files or a pairing has to be visible before a key press counts as its
    /// answer.
    package static let readingTime = Duration.seconds(1)

    private struct Offer {
        var batch: FileBatch
        var shown: Instant
    }

    private let waiting = Mutex<[Offer]>([])
    private let now: @Sendable () -> Instant

    /// Makes an empty list.
    public convenience init() { self.init { MonotonicClock.now } }

    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    /// Updates the list: adds a new offer, and removes an offer that was answered by any means or is obsolete.
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

    /// The newest offer; `nil` if there is none.
    public var last: FileBatch? { waiting.withLock { $0.last?.batch } }

    /// The offers of one peer, oldest first.
    ///
    /// - Parameter name: the name of the other end; `nil` for all peers.
    package func all(from name: String?) -> [FileBatch] {
        waiting.withLock { $0.map(\.batch).filter { FileRecipient.isCalled(name, $0.peer) } }
    }

    /// Removes and returns the offer that was shown last; the caller answers it. The previous offer becomes `last`, and
    /// has to be shown again.
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
