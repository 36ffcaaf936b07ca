import Glibc

/// What a thread or the process has had of the cores. Unlike elapsed time, it leaves out whatever else the machine does.
enum CPUTime {
    /// This thread's.
    static var now: Duration { read(CLOCK_THREAD_CPUTIME_ID) }
    /// All threads', and what the kernel did for them.
    static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
