private import Glibc
internal import HelioCore

/// The queue between a sound server's thread and the thread that codes: a second of sound, of which the oldest is lost
/// where nobody takes it.
///
/// `@unchecked Sendable`: a lock guards everything.
final class CaptureQueue: @unchecked Sendable {
    enum Item {
        case sound(SoundBlock)
        /// Another device is captured, of that name.
        case device(String)
        case lost
    }

    /// What ended a wait.
    enum Outcome {
        case item(Item)
        case timeout
        case woken
    }

    private static let mostFrames = 48000
    /// Of what is no sound, that many are kept; only the last one counts anyway.
    private static let mostItems = 1024

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Read from `head` on; what is before it is taken.
    private var items: [Item] = []
    private var head = 0
    private var frames = 0
    private var lostFrames: UInt64 = 0
    private var isWoken = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    var overrunFrames: UInt64 { locked { lostFrames } }

    func put(_ item: Item) {
        locked {
            items.append(item)
            if case .sound(let block) = item { frames += block.frames }
            while frames > Self.mostFrames || items.count - head > Self.mostItems { dropOldest() }
            pthread_cond_signal(condition)
        }
    }

    func wake() {
        locked {
            isWoken = true
            pthread_cond_signal(condition)
        }
    }

    /// Waits for an item, for `wake` or for `until`.
    func take(until: Instant?) -> Outcome {
        locked {
            while true {
                if isWoken {
                    isWoken = false
                    return .woken
                }
                if head < items.count { return .item(removeFirst()) }
                guard let until else {
                    pthread_cond_wait(condition, mutex)
                    continue
                }
                guard Instant.monotonicNow < until else { return .timeout }
                var time = timespec(
                    tv_sec: Int(until.nanoseconds / 1_000_000_000), tv_nsec: Int(until.nanoseconds % 1_000_000_000))
                pthread_cond_timedwait(condition, mutex, &time)
            }
        }
    }

    private func removeFirst() -> Item {
        let item = items[head]
        head += 1
        if case .sound(let block) = item { frames -= block.frames }
        // What is taken is let go of together, so that nothing moves for each.
        if head == items.count || head >= Self.mostItems {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// Drops the oldest sound: of devices the news stays.
    private func dropOldest() {
        guard
            let index = items[head...].firstIndex(where: {
                if case .sound = $0 { true } else { false }
            })
        else {
            items.remove(at: head)
            return
        }
        if case .sound(let block) = items.remove(at: index) {
            frames -= block.frames
            lostFrames += UInt64(block.frames)
        }
    }

    private func locked<T>(_ body: () -> T) -> T {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
