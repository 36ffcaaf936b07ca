import Glibc

/// What this thread has had of a core. Unlike elapsed time, it leaves out whatever else the machine does.
enum CPUTime {
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
