import Glibc

/// The priority with which a library's own threads start: on Linux, that of the thread that starts them
/// (setpriority(2)).
enum ThreadUrgency {
    /// Runs `body` with this thread at the media thread's priority, if the user may set it.
    static func raised<T>(_ body: () -> T) -> T {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // 0 is the calling thread. Without permission the priority stays, which does no harm.
        let before = getpriority(thread, 0)
        _ = setpriority(thread, 0, min(before, -10))
        defer { _ = setpriority(thread, 0, before) }
        return body()
    }
}
