private import Foundation

/// Formats times in this machine's time zone.
enum LocalTime {
    /// The time of day, such as `13:02:05`.
    static var now: String {
        let parts = parts(of: time(nil))
        return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    }

    /// Formats a time to the minute, such as `2026-11-27 13:02`.
    ///
    /// - Parameter seconds: the time in seconds since 1970.
    static func minute(of seconds: Int) -> String {
        let parts = parts(of: time_t(seconds))
        return String(
            format: "%04d-%02d-%02d %02d:%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
            parts.tm_min)
    }

    private static func parts(of seconds: time_t) -> tm {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        return parts
    }
}
