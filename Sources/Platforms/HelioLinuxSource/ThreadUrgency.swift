import Glibc

/// Sets the priority of threads that a library starts: on Linux, a thread inherits the priority of the thread that
/// starts it (setpriority(2)).
enum ThreadUrgency {
    /// Runs `body` with this thread at the media thread's priority (nice value -10), if the user has the permission.
    static func raised<T>(_ body: () -> T) -> T {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // 0 is the calling thread. Without permission, the calls fail and the priority stays the same, which is
        // harmless.
        let before = getpriority(thread, 0)
        _ = setpriority(thread, 0, min(before, -10))
        defer { _ = setpriority(thread, 0, before) }
        return body()
    }
}
