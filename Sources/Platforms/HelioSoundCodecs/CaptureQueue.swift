private import Dispatch
package import HelioCore
private import Synchronization

/// The queue between the callbacks of a device or sound server and the encoding thread: a second of sound. If nobody
/// takes the sound in time, the oldest is dropped and counted.
///
/// Any thread may put and wake; one thread takes.
package final class CaptureQueue: Sendable {
    package enum Item: Sendable {
        case sound(SoundBlock)
        /// Another device, of that name, is captured now.
        case device(String)
        case lost
    }

    /// The end of a wait: with an item, at the time limit, or by `wake`.
    package enum Outcome: Sendable {
        case item(Item)
        case timeout
        case woken
    }

    /// A second of sound, which is as much memory as a broadcast extension can spare (384 kB).
    package static let mostFrames = 48000
    /// The most items of all kinds: a callback may bring few sample frames, and changes of devices count too.
    fileprivate static let mostItems = 1024

    fileprivate struct State: Sendable {
        /// The items; those before `head` were taken.
        var items: [Item] = []
        var head = 0
        var frames = 0
        var lostFrames: UInt64 = 0
        var isWoken = false
        /// True while the taking thread waits for a signal that was not yet sent.
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let semaphore = DispatchSemaphore(value: 0)
    private let now: @Sendable () -> Instant

    /// - Parameter now: the clock of the instants given to `take` and `next`.
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
        // At most an hour: after that `take` checks and waits again.
        let nanoseconds = min(3_600_000_000_000, left.nanoseconds)
        if semaphore.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success { return }
        let isSignalled = state.withLock { state in
            defer { state.isWaiting = false }
            return !state.isWaiting
        }
        // The signal came right after the time was up: it belongs to this wait, and must not end a later one.
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
        // Taken items are removed together, so that the others are not moved for each.
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
