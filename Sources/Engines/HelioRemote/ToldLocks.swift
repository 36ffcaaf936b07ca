import HelioControlWire
import HelioCore

/// The locks that a viewer has sent. They are set again before each key press, as the host's may have changed since:
/// by its own keyboard, or by another viewer.
///
/// Until its next press the host keeps what it has. While a lock's own key is down the viewer's state is about to change,
/// so nothing is set then: systems differ in whether a lock changes as its key goes down or up.
struct ToldLocks: Sendable {
    private var told: LockState?
    /// The usages of the lock keys that are down.
    private var keysDown: Set<UInt16> = []

    mutating func take(_ locks: LockState) -> LockState {
        told = locks
        return locks
    }

    /// Returns the locks to set before a key goes down; `nil` if the viewer has sent none, or is changing them.
    mutating func press(_ usage: UInt16) -> LockState? {
        let due = keysDown.isEmpty ? told : nil
        if USBKeyboard.isLock(usage) { keysDown.insert(usage) }
        return due
    }

    mutating func lift(_ usage: UInt16) { keysDown.remove(usage) }

    /// Notes that the viewer no longer holds any key.
    mutating func liftAll() { keysDown = [] }
}
