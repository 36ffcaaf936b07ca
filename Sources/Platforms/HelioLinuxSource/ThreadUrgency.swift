import Glibc

/// The urgency that a library's own threads start with: on Linux, that of the thread that starts them (setpriority(2)).
enum ThreadUrgency {
    /// Runs `body` at the urgency of the media thread, as far as this user may have it.
    static func raised<T>(_ body: () -> T) -> T {
        let thread = __priority_which_t(PRIO_PROCESS.rawValue)
        // 0 is the calling thread. Refused without the right to it, which is no harm.
        let before = getpriority(thread, 0)
        _ = setpriority(thread, 0, min(before, -10))
        defer { _ = setpriority(thread, 0, before) }
        return body()
    }
}
