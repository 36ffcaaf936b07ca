private import Foundation
package import HelioCore

/// The queue between a device's callbacks and the thread that codes: a second of sound, of which the oldest is lost, and
/// counted, where nobody takes it in time.
///
/// `@unchecked Sendable`: the condition's lock guards everything.
package final class SampleQueue: @unchecked Sendable {
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
    private static let mostItems = 1024

    private let now: @Sendable () -> Instant
    private let condition = NSCondition()
    private var items: [Item] = []
    private var frames = 0
    private var lostFrames: UInt64 = 0
    private var isWoken = false

    package init(now: @escaping @Sendable () -> Instant) { self.now = now }

    package var overrunFrames: UInt64 { condition.withLock { lostFrames } }

    package func put(_ item: Item) {
        condition.withLock {
            items.append(item)
            if case .sound(let block) = item { frames += block.frames }
            while frames > Self.mostFrames || items.count > Self.mostItems { dropOldest() }
            condition.signal()
        }
    }

    package func wake() {
        condition.withLock {
            isWoken = true
            condition.signal()
        }
    }

    /// Waits for an item, for `wake` or for `until`.
    package func take(until: Instant?) -> Outcome {
        condition.withLock {
            while true {
                if isWoken {
                    isWoken = false
                    return .woken
                }
                if !items.isEmpty {
                    let item = items.removeFirst()
                    if case .sound(let block) = item { frames -= block.frames }
                    return .item(item)
                }
                guard let until else {
                    condition.wait()
                    continue
                }
                let left = now().duration(to: until)
                guard left > .zero else { return .timeout }
                _ = condition.wait(until: Date(timeIntervalSinceNow: Double(left.nanoseconds) / 1e9))
            }
        }
    }

    /// Drops the oldest sound: of devices the news stays, as long as there is sound to drop.
    private func dropOldest() {
        let index = items.firstIndex { if case .sound = $0 { true } else { false } }
        if case .sound(let block) = items.remove(at: index ?? 0) {
            frames -= block.frames
            lostFrames += UInt64(block.frames)
        }
    }
}
