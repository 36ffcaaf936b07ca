import Glibc

/// The environment variables of this process.
enum ProcessVariable {
    /// Returns a variable's value; `nil` if it is not set.
    static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
