private import Dispatch
package import HelioCore
private import Synchronization

/// The queue between a device's or sound server's callbacks and the thread that codes: a second of sound, of which the oldest
/// is lost, and counted, where nobody takes it in time.
///
/// Any thread puts and wakes; one thread takes.
package final class CaptureQueue: Sendable {
    package enum Item: Sendable {
        case sound(SoundBlock)
        /// Another device is captured, of that name.
        case device(String)
        case lost
    }

    /// What ended a wait.
    package enum Outcome: Sendable {
        case item(Item)
        case timeout
        case woken
    }

    /// A second: also what a broadcast extension can spare (384 kB).
    package static let mostFrames = 48000
    /// Of items of every kind: callbacks of a handful of sample frames, and news of devices.
    fileprivate static let mostItems = 1024

    fileprivate struct State: Sendable {
        /// Read from `head` on; what is before it is taken.
        var items: [Item] = []
        var head = 0
        var frames = 0
        var lostFrames: UInt64 = 0
        var isWoken = false
        /// True while the taker waits for a signal that nobody has given.
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)
    private let now: @Sendable () -> Instant

    /// - Parameter now: the clock of the instants that `take` waits until.
    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    package var overrunFrames: UInt64 { state.withLock { $0.lostFrames } }

    package func put(_ item: Item) { change { $0.put(item) } }
    package func wake() { change { $0.isWoken = true } }

    private func change(_ body: (inout State) -> Void) {
        let isAwaited = state.withLock { state in
            body(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isAwaited { semaphore.signal() }
    }

    /// Waits like `take`, and says what came as a capture of sound does.
    ///
    /// - Parameter deviceName: becomes the name of another device.
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

    /// Waits for an item, for `wake` or for `until`.
    package func take(until: Instant?) -> Outcome {
        while true {
            let left = until.map { now().duration(to: $0) }
            let found: Outcome? = state.withLock { state in
                if let outcome = state.next() { return outcome }
                if let left, left <= .zero { return .timeout }
                state.isWaiting = true
                return nil
            }
            if let found { return found }
            wait(atMost: left)
        }
    }

    private func wait(atMost left: Duration?) {
        guard let left else { return semaphore.wait() }
        // An hour at most: who waits longer looks and waits again.
        let nanoseconds = min(3_600_000_000_000, left.nanoseconds)
        if semaphore.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success { return }
        let isSignalled = state.withLock { state in
            defer { state.isWaiting = false }
            return !state.isWaiting
        }
        // The signal came right after the time was up: it is of this wait, and of no later one.
        if isSignalled { semaphore.wait() }
    }
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
        // What is taken is let go of together, so that nothing moves for each.
        if head == items.count || head >= CaptureQueue.mostItems {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// Drops the oldest sound: of devices the news stays, as long as there is sound to drop.
    private mutating func dropOldest() {
        let index = items[head...].firstIndex { if case .sound = $0 { true } else { false } }
        if case .sound(let block) = items.remove(at: index ?? head) {
            frames -= block.frames
            lostFrames += UInt64(block.frames)
        }
    }
}
