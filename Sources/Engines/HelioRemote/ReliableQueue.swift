import HelioControlWire

/// The events that await acknowledgement, oldest first. The oldest events that fit one datagram together with a motion
/// are in flight, and each datagram carries all of them; later events wait.
struct ReliableQueue {
    private static let budget =
        ControlMessage.maximumSize - 1 - ControlInput.headerSize - ControlInput.Motion.headerSize - 21

    private(set) var events: [ControlEvent] = []
    private(set) var firstSequence: UInt32
    /// The number of events, from the oldest on, that were sent at least once.
    private(set) var sentCount = 0
    private let capacity: Int

    init(firstSequence: UInt32, capacity: Int) {
        self.firstSequence = firstSequence
        self.capacity = capacity
    }

    var nextSequence: UInt32 { firstSequence &+ UInt32(events.count) }
    /// The number of further events that fit. Ups are appended regardless; there are never more ups than admitted
    /// downs.
    var room: Int { max(0, capacity - events.count) }
    /// The newest event if it was not sent yet, so that it can still be changed.
    var lastUnsent: ControlEvent? { sentCount < events.count ? events.last : nil }

    mutating func append(_ event: ControlEvent) { events.append(event) }

    mutating func replaceLast(with event: ControlEvent) { events[events.count - 1] = event }

    /// The oldest events that fit the next datagram, at most 255.
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

    /// Removes acknowledged events and returns their number; `nil` if the host acknowledges events that were never
    /// sent.
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
