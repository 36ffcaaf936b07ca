private import CSRT

/// The process's only instance of libsrt, which has threads of its own.
enum SRTLibrary {
    /// Starts libsrt unless it runs; false if it can't be started.
    static func start() -> Bool { isRunning }

    private static let isRunning: Bool = {
        guard srt_startup() >= 0 else { return false }
        // libsrt logs to the standard error; its states and error codes are enough for this program.
        srt_setloghandler(nil) { _, _, _, _, _, _ in }
        return true
    }()

    /// The code of the calling thread's last error.
    static var lastError: Int { Int(srt_getlasterror(nil)) }
}
