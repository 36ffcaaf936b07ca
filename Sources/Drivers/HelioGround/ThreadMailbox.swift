private import CGround
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Contents guarded by a lock, for whose changes a thread can wait. The contents have their own rule for dropping
/// elements when they are full.
///
/// All methods are callable from any thread. `@unchecked Sendable`: the contents are only used with the lock held.
package final class ThreadMailbox<Contents: Sendable>: @unchecked Sendable {
    private let condition = ThreadCondition()
    private var contents: Contents

    package init(_ contents: Contents) { self.contents = contents }

    /// Reads or changes the contents without waking any thread. The body must not call the mailbox.
    package func withLock<Result>(_ body: (inout Contents) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&contents)
    }

    /// Changes the contents, and wakes all waiting threads. The body must not call the mailbox.
    @discardableResult
    package func put<Result>(_ change: (inout Contents) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        defer { condition.wake() }
        return change(&contents)
    }

    /// Waits until `find` returns a result. `find` is called at once, after each `put`, and at the end of the wait.
    /// Returns `nil` if there is no result by then.
    ///
    /// - Parameter until: the end of the wait; `nil` waits without limit.
    package func take<Result>(until: Instant?, _ find: (inout Contents) -> Result?) -> Result? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = find(&contents) { return result }
            guard condition.wait(until: until) else { return nil }
        }
    }

    /// Waits without limit until `find` returns a result.
    package func take<Result>(_ find: (inout Contents) -> Result?) -> Result {
        while true { if let result = take(until: nil, find) { return result } }
    }
}

/// A mutex and a condition variable, whose time-outs are on `MonotonicClock`.
///
/// `@unchecked Sendable`: the pthread primitives are thread-safe, and their addresses do not change.
private final class ThreadCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        #if canImport(Glibc)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #else
        pthread_cond_init(condition, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    func wake() { pthread_cond_broadcast(condition) }

    /// Waits once, with the lock held, for `wake` or until the instant. Returns false, without waiting, if the instant
    /// has passed.
    func wait(until: Instant?) -> Bool {
        guard let until else {
            pthread_cond_wait(condition, mutex)
            return true
        }
        #if canImport(Glibc)
        guard until > MonotonicClock.now else { return false }
        var time = Self.time(until.nanoseconds)
        pthread_cond_timedwait(condition, mutex, &time)
        #else
        let left = until - MonotonicClock.now
        guard left > .zero else { return false }
        var time = Self.time(left.nanoseconds)
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #endif
        return true
    }

    private static func time(_ nanoseconds: Int64) -> timespec {
        timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
