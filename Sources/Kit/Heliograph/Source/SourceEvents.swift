internal import HelioCore
package import HelioLoop

/// The receiver of the events that a source's parts report to the app.
protocol SourceReporting: Sendable {
    /// Reports an event. Called on any thread; never blocks.
    func put(_ event: MirrorSource.Event)
}

extension SourceReporting {
    /// Reports a human-readable sentence for a log or the user.
    func note(_ sentence: String) { put(.info(sentence)) }
}

/// The events of a ``MirrorSource``, in order, for one reader.
///
/// Important events are never lost, however late the app reads them: viewers, pairing questions, links, agreements and
/// the reason why sharing ended. Once 256 events are queued, repeated events are merged, and the begin and end of the
/// same question or viewer cancel each other. `SourceStatistics.drops` counts the removed events, under names that
/// begin with `event-`.
public final class SourceEvents: AsyncSequence, DropCounting, SourceReporting {
    /// The maximum number of events that are queued without merging.
    private static let eventsWaiting = 256

    private let queue = ReadQueue(EventQueue<MirrorSource.Event>(capacity: SourceEvents.eventsWaiting))

    init() {}

    /// The iterator over the events. All iterators share one queue, so each of two iterators gets only some of the
    /// events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: SourceEvents

        /// The next event; `nil` when sharing has ended.
        public mutating func next() async -> MirrorSource.Event? { await events.queue.next(isolation: nil) }
    }

    /// Makes the iterator, for one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    /// The number of merged or dropped events, by reason.
    package var allDrops: [String: Int] { queue.allDrops }

    func put(_ event: MirrorSource.Event) { queue.updateAndWake { $0.put(event) } }

    func finish() { queue.updateAndWake { $0.isFinished = true } }
}

extension MirrorSource.Event: QueuedEvent {
    package var standing: EventStanding {
        switch self {
        case .started, .paired, .publicationFailed, .recordingFailed, .failed: .kept
        case .recording: .newest("recording")
        case .rendezvous(let url, _): .newest("rendezvous \(url)")
        case .broadcast(let url, _, _): .newest("broadcast \(url)")
        case .link: .newest("link")
        case .agreed: .newest("agreed")
        case .monitors: .newest("monitors")
        case .soundShared: .newest("sound")
        case .speaking(let address, let device, _): .newest("speaking \(address) \(device ?? "")")
        case .viewerJoined(let address, let device): .begun("viewer \(address) \(device ?? "")")
        case .viewerLeft(let address, let device, _): .over("viewer \(address) \(device ?? "")")
        case .pairingAsked(let question): .begun("pairing \(question.id.number)")
        case .pairingOver(let id): .over("pairing \(id.number)")
        case .viewerRefused(let address, let reason): .repeated("refused \(address) \(reason)")
        case .pairingRefused(let address, let reason): .repeated("not paired \(address) \(reason)")
        case .info(let text): .repeated(text)
        case .files(let event): event.standing
        }
    }
}
