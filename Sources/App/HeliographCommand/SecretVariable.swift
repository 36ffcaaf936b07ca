private import Foundation

/// Reads environment variables that contain secrets.
enum SecretVariable {
    /// True if the variable is set and not empty.
    static func isSet(_ name: String) -> Bool { getenv(name).map { strlen($0) > 0 } ?? false }

    /// Removes the variable from the environment and overwrites its value: child processes do not need it, and on Linux
    /// this user's other programs can read the memory that held the initial environment.
    ///
    /// - Returns: the value; `nil` if the variable is not set.
    static func take(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        memset(value, Int32(UInt8(ascii: " ")), strlen(value))
        unsetenv(name)
        return text
    }
}
