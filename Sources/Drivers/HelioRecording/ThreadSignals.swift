#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The signals that a thread is sent.
enum ThreadSignals {
    /// Has a write to a file that has its most bytes fail, on the calling thread; the system ends the program otherwise.
    static func blockFileSize() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
