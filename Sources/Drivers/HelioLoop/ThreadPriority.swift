#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Asks the system to run a thread before others.
package enum ThreadPriority {
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
