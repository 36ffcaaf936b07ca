private import DequeModule
package import HelioCore

/// A bounded queue of events in order. Even if the queue is not read for hours, no event that must be read is lost.
///
/// Up to `capacity` events are queued unchanged. Beyond that, events are merged according to their `standing`: of the
/// reports of one state only the newest is kept, a begin and its end cancel each other, and of repeated events only the
/// newest is kept. Events that must be read are always kept. They are few, as each concerns a viewer, a question or an
/// ending.
package struct EventQueue<Event: QueuedEvent>: DropCounting, Readable {
    /// True if no events follow the queued ones.
    package var isFinished = false
    package private(set) var drops = DropCounter<EventDrop>()

    private let capacity: Int
    private var waiting = Deque<Event>()
    /// The number of queued events at which events are merged next. Merging takes time in proportion to this number.
    private var mergesAt: Int

    /// - Parameter capacity: the maximum number of events that are queued without merging.
    package init(capacity: Int) {
        self.capacity = capacity
        mergesAt = capacity
    }

    package var count: Int { waiting.count }

    package var allDrops: [String: Int] { drops.byName }

    package mutating func put(_ event: Event) {
        if isFinished { return }
        if waiting.count >= mergesAt { merge() }
        waiting.append(event)
    }

    package mutating func takeFirst() -> Event? { waiting.popFirst() }

    /// Removes and returns all queued events, oldest first.
    package mutating func takeAll() -> [Event] {
        let all = Array(waiting)
        waiting.removeAll(keepingCapacity: true)
        return all
    }

    package mutating func removeAll(where isUnwanted: (Event) -> Bool) { waiting.removeAll(where: isUnwanted) }

    /// Merges the waiting events, from the newest to the oldest.
    private mutating func merge() {
        var stays: [Event?] = []
        var seen: Set<EventStanding> = []
        var ends: [String: [Int]] = [:]
        var repeated = 0
        for event in waiting.reversed() {
            let standing = event.standing
            switch standing {
            case .kept: break
            case .fixed: seen = seen.filter { if case .repeated = $0 { true } else { false } }
            case .newest:
                if !seen.insert(standing).inserted {
                    drops.count(.overtaken)
                    continue
                }
            case .over(let key): ends[key, default: []].append(stays.count)
            case .begun(let key):
                if let end = ends[key]?.popLast() {
                    stays[end] = nil
                    drops.count(.unseen, 2)
                    continue
                }
            case .repeated:
                if !seen.insert(standing).inserted {
                    drops.count(.repeated)
                    continue
                }
                if repeated == capacity / 2 {
                    drops.count(.tooMany)
                    continue
                }
                repeated += 1
            }
            stays.append(event)
        }
        waiting = Deque(stays.reversed().compactMap(\.self))
        mergesAt = max(capacity, 2 * waiting.count)
    }
}

extension ReadQueue: DropCounting where Queue: DropCounting {
    package var allDrops: [String: Int] { update { queue, _ in queue.allDrops } }
}
