package import HelioCore
private import HelioGround

/// The queue between the callbacks of a device or sound server and the encoding thread, for one second of sound. If it
/// is full, the oldest sound is dropped and counted.
///
/// `put` and `wake` may be called on any thread, `take` and `next` on one thread only.
package final class CaptureQueue: Sendable {
    package enum Item: Sendable {
        case sound(SoundBlock)
        /// A change of the captured device; the value is the new device's name.
        case device(String)
        case lost
    }

    /// The result of a wait: an item, the time limit, or a call of `wake`.
    package enum Outcome: Sendable {
        case item(Item)
        case timeout
        case woken
    }

    /// The maximum number of sample frames: one second, as a broadcast extension can't spare more memory (384 kB).
    package static let mostFrames = 48000
    /// The maximum number of items: a bound for callbacks with few sample frames, and for changes of devices.
    fileprivate static let mostItems = 1024

    fileprivate struct State: Sendable {
        /// The items; those before index `head` were taken.
        var items: [Item] = []
        var head = 0
        var frames = 0
        var lostFrames: UInt64 = 0
        var isWoken = false
    }

    private let mailbox = ThreadMailbox(State())

    package init() {}

    package var overrunFrames: UInt64 { mailbox.withLock { $0.lostFrames } }

    package func put(_ item: Item) { mailbox.put { $0.put(item) } }
    package func wake() { mailbox.put { $0.isWoken = true } }

    /// Waits like `take`, and returns the result as an event of sound capture.
    ///
    /// - Parameter deviceName: set to the device's name when that changes.
    package func next(until: Instant?, deviceName: inout String) -> SoundCaptureEvent {
        switch take(until: until) {
        case .item(.sound(let block)): return .sound(block)
        case .item(.device(let name)):
            deviceName = name
            return .deviceChanged
        case .item(.lost): return .deviceLost
        case .timeout: return .timeout
        case .woken: return .woken
        }
    }

    /// Waits for an item or a call of `wake`, at most until `until` (`MonotonicClock`); `nil` means no limit.
    package func take(until: Instant?) -> Outcome { mailbox.take(until: until) { $0.next() } ?? .timeout }
}

extension CaptureQueue.State {
    mutating func put(_ item: CaptureQueue.Item) {
        items.append(item)
        if case .sound(let block) = item { frames += block.frames }
        while frames > CaptureQueue.mostFrames || items.count - head > CaptureQueue.mostItems { dropOldest() }
    }

    mutating func next() -> CaptureQueue.Outcome? {
        if isWoken {
            isWoken = false
            return .woken
        }
        return head < items.count ? .item(removeFirst()) : nil
    }

    private mutating func removeFirst() -> CaptureQueue.Item {
        let item = items[head]
        head += 1
        if case .sound(let block) = item { frames -= block.frames }
        // Remove taken items in batches, so that the remaining items are not moved each time.
        if head == items.count || head >= CaptureQueue.mostItems {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// Drops the oldest block of sound; drops another item only if there is no sound.
    private mutating func dropOldest() {
        let index = items[head...].firstIndex { if case .sound = $0 { true } else { false } }
        if case .sound(let block) = items.remove(at: index ?? head) {
            frames -= block.frames
            lostFrames += UInt64(block.frames)
        }
    }
}
