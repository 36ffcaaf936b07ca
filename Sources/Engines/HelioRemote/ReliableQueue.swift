import HelioControlWire

/// The events that await acknowledgement, oldest first. Those that fit one datagram together with a motion are in
/// flight, and all of them are in each datagram; the others wait.
struct ReliableQueue {
    private static let budget =
        ControlMessage.maximumSize - 1 - ControlInput.headerSize - ControlInput.Motion.headerSize - 21

    private(set) var events: [ControlEvent] = []
    private(set) var firstSequence: UInt32
    /// The number of events that were sent in a datagram.
    private(set) var sentCount = 0
    private let capacity: Int

    init(firstSequence: UInt32, capacity: Int) {
        self.firstSequence = firstSequence
        self.capacity = capacity
    }

    var nextSequence: UInt32 { firstSequence &+ UInt32(events.count) }
    /// The room for events that may be refused. Ups ignore it; there are never more of them than admitted downs.
    var room: Int { max(0, capacity - events.count) }
    /// The newest event, if no datagram has carried it, so that it can still be changed.
    var lastUnsent: ControlEvent? { sentCount < events.count ? events.last : nil }

    mutating func append(_ event: ControlEvent) { events.append(event) }

    mutating func replaceLast(with event: ControlEvent) { events[events.count - 1] = event }

    /// The events for the next datagram: as many as fit.
    var window: ArraySlice<ControlEvent> {
        var size = 0
        var count = 0
        for event in events.prefix(255) {
            size += event.size
            if size > Self.budget { break }
            count += 1
        }
        return events.prefix(count)
    }

    var hasUnsentInWindow: Bool { window.count > sentCount }

    mutating func sent(_ count: Int) { sentCount = max(sentCount, count) }

    /// Removes acknowledged events and returns their number; `nil` if the host acknowledges some that were never sent.
    mutating func acknowledge(next: UInt32) -> Int? {
        let count = Int(Int32(bitPattern: next &- firstSequence))
        guard count <= sentCount else { return nil }
        guard count > 0 else { return 0 }
        events.removeFirst(count)
        sentCount -= count
        firstSequence = next
        return count
    }
}
