#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Asks the system to run a thread before others, or behind them.
package enum ThreadPriority {
    /// Has the calling thread wait for all others that want to run: for work that nobody sees.
    package static func lower() {
        #if canImport(Glibc)
        var parameters = sched_param()
        // 0 is the calling thread; SCHED_IDLE of linux/sched.h, which Glibc's headers hide.
        _ = sched_setscheduler(0, 5, &parameters)
        #elseif canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// Raises the calling thread as far as this user may; does nothing where it may not.
    package static func raise() {
        #if canImport(Glibc)
        // Linux gives each thread a nice value of its own. Refused without the right to it, which is no harm.
        // 0 is the calling thread.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
        #elseif canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0)
        #endif
    }
}
