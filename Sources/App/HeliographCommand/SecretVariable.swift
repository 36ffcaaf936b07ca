private import Foundation

/// A variable of the environment that holds a secret.
enum SecretVariable {
    /// Takes the variable out of the environment and overwrites its value: the programs that this one starts have no use
    /// for it, and Linux shows this user's other programs the memory in which a program's environment began.
    ///
    /// - Returns: its value; `nil` where it is not set.
    static func take(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        memset(value, Int32(UInt8(ascii: " ")), strlen(value))
        unsetenv(name)
        return text
    }
}
