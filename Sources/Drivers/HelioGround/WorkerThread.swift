private import CGround
package import HelioCore
private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A thread. For urgent work it has the highest priority that this user may set, for other work the default priority.
package final class WorkerThread: Sendable {
    private struct State {
        var isDone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        #if canImport(Glibc)
        /// The running thread; `nil` before it starts and after it has ended.
        var thread: pthread_t?
        /// True if `vanish` frees the thread.
        var vanishes = false
        #endif
    }

    /// The stack size in bytes for work that calls no third-party library. It is small because a broadcast extension
    /// may use only 50 MB of memory.
    package static let smallStack = 256 << 10
    /// The stack size in bytes for all other work.
    package static let usualStack = 4 << 20

    private let state = Mutex(State())

    private init() {}

    /// Starts a thread. If the system has no thread left, the program ends, as other threads would wait for this thread
    /// for ever.
    ///
    /// - Parameters:
    ///   - name: shown by debuggers; Linux shows its first 15 bytes.
    ///   - isUrgent: false for work that is not latency-sensitive.
    ///   - body: the thread's work. After this call, the caller must not use the objects that the closure captures.
    @discardableResult
    package convenience init(name: String, isUrgent: Bool = true, _ body: @escaping () -> Void) {
        self.init()
        guard launch(name, isUrgent: isUrgent, stack: Self.usualStack, body) else {
            fatalError("The system has no thread left for '\(name)'.")
        }
    }

    /// Starts a thread with the default priority. Throws `systemFailed` if the system has no thread left.
    ///
    /// - Parameters:
    ///   - stack: the size of the thread's stack in bytes.
    ///   - body: the thread's work. After this call, the caller must not use the objects that the closure captures.
    @discardableResult
    package static func start(
        name: String, stack: Int, _ body: @escaping () -> Void
    ) throws(HelioError) -> WorkerThread {
        let thread = WorkerThread()
        guard thread.launch(name, isUrgent: false, stack: stack, body) else {
            throw HelioError(.systemFailed, "The system has no thread left for '\(name)'.")
        }
        return thread
    }

    /// Waits until the thread has ended.
    package func join() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.isDone { state.waiting.append(continuation) }
                return state.isDone
            }
            if isDone { continuation.resume() }
        }
    }

    /// Waits until the system has removed the thread, but at most for `limit`. Blocks the caller; called once.
    ///
    /// A thread of low priority may need seconds on busy cores for its last instructions after `join`. If the program
    /// ends meanwhile, the system frees the program's memory on that thread, and a process that waits for the program's
    /// end waits for those seconds, too.
    package func vanish(within limit: Duration) {
        #if canImport(Glibc)
        let thread = state.withLock { state in
            // A thread that has finished frees itself.
            state.vanishes = state.thread != nil
            return state.thread
        }
        guard let thread else { return }
        let end = MonotonicClock.now + limit
        while helio_thread_take(thread) == 0, MonotonicClock.now < end { usleep(1000) }
        #endif
    }

    /// A thread's closure, boxed to be passed through `pthread_create`.
    private final class Work {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private func launch(_ name: String, isUrgent: Bool, stack: Int, _ body: @escaping () -> Void) -> Bool {
        let work = Work { [self] in
            helio_thread_set_name(name)
            begin()
            if isUrgent { ThreadPriority.raise() }
            body()
            finish()
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stack)
        #if !canImport(Glibc)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #endif
        let argument = Unmanaged.passRetained(work).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        if pthread_create(&thread, &attributes, { WorkerThread.enter($0) }, argument) == 0 { return true }
        Unmanaged<Work>.fromOpaque(argument).release()
        return false
    }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    private func begin() {
        #if canImport(Glibc)
        state.withLock { $0.thread = pthread_self() }
        #endif
    }

    private func finish() {
        let waiting = state.withLock { state in
            state.isDone = true
            #if canImport(Glibc)
            state.thread = nil
            if !state.vanishes { pthread_detach(pthread_self()) }
            #endif
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
