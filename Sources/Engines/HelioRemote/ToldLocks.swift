import HelioCore

/// The locks that a viewer has sent, and whether the host's may have changed since: another viewer may have driven, or
/// the person at the host may have used the keyboard.
struct ToldLocks: Sendable {
    private var told: LockState?
    private var isDue = false

    mutating func take(_ locks: LockState) -> LockState {
        told = locks
        isDue = false
        return locks
    }

    /// Returns the locks to set before the next key press, where the host's may differ.
    mutating func takeDue() -> LockState? {
        defer { isDue = false }
        return isDue ? told : nil
    }

    /// Notes that the viewer no longer holds anything: others may switch the locks meanwhile.
    mutating func forget() { isDue = told != nil }
}
