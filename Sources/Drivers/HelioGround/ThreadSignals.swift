#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Changes the calling thread's signal mask.
package enum ThreadSignals {
    /// Blocks SIGXFSZ on the calling thread: a write beyond the file size limit then fails, instead of ending the
    /// program.
    package static func blockFileSize() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
