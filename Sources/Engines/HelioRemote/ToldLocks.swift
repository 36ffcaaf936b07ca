import HelioCore

/// The locks that a viewer has told, and whether the host may have others: while another viewer drove, or the person at
/// the host had the keyboard.
struct ToldLocks: Sendable {
    private var told: LockState?
    private var isDue = false

    mutating func take(_ locks: LockState) -> LockState {
        told = locks
        isDue = false
        return locks
    }

    /// The locks to set before the next press of a key, where the host may have others.
    mutating func takeDue() -> LockState? {
        defer { isDue = false }
        return isDue ? told : nil
    }

    /// Nothing of the viewer is down any more: whoever acts meanwhile may switch the locks.
    mutating func forget() { isDue = told != nil }
}
