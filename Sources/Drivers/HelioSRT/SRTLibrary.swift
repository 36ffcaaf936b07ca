private import CSRT

/// libsrt, of which a process has one, with threads of its own.
enum SRTLibrary {
    /// Starts it where it does not run; false where it can't.
    static func start() -> Bool { isRunning }

    private static let isRunning: Bool = {
        guard srt_startup() >= 0 else { return false }
        // It writes what it thinks of to the standard error: what matters comes as states and errors.
        srt_setloghandler(nil) { _, _, _, _, _, _ in }
        return true
    }()

    /// The number of the calling thread's last error.
    static var lastError: Int { Int(srt_getlasterror(nil)) }
}
