#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Raises or lowers the calling thread's priority.
package enum ThreadPriority {
    /// Lowers the calling thread's priority below that of all other threads, for background work.
    package static func lower() {
        #if canImport(Glibc)
        var parameters = sched_param()
        // 0 is the calling thread; 5 is SCHED_IDLE of linux/sched.h, which Glibc's headers hide.
        _ = sched_setscheduler(0, 5, &parameters)
        #elseif canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// Raises the calling thread's priority if this user has the permission; otherwise does nothing.
    package static func raise() {
        #if canImport(Glibc)
        // The call sets the nice value of the calling thread (0), as each thread on Linux has its own. It fails without
        // permission, which is harmless.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
        #elseif canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE, 0)
        #endif
    }
}
