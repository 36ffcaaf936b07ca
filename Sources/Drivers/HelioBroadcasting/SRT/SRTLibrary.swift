private import CSRT

/// The process-wide state of libsrt, which has threads of its own.
enum SRTLibrary {
    /// Starts libsrt if it does not run yet. Returns false if it can't be started.
    static func start() -> Bool { isRunning }

    private static let isRunning: Bool = {
        guard srt_startup() >= 0 else { return false }
        // Turn off libsrt's log on standard error; its states and error codes are sufficient.
        srt_setloghandler(nil) { _, _, _, _, _, _ in }
        return true
    }()

    /// The libsrt error code of the calling thread's last failed call.
    static var lastError: Int { Int(srt_getlasterror(nil)) }
}
