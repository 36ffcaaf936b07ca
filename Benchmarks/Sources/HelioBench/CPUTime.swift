import Glibc

/// The CPU time of a thread or the process. Unlike elapsed time, it excludes other activity of the machine.
enum CPUTime {
    /// The CPU time of this thread.
    static var now: Duration { read(CLOCK_THREAD_CPUTIME_ID) }
    /// The CPU time of all threads, including the kernel's work for them.
    static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
