import HelioControlWire
import HelioCore

/// The lock state that a viewer has sent. It is set on the host before each key press, as the host's own keyboard or
/// another viewer may have changed the host's locks since.
///
/// The host's locks are set only with a key press, and not while a lock key is down, as the viewer's state is then
/// about to change: on some systems a lock changes when its key goes down, on others when it goes up.
struct ToldLocks: Sendable {
    private var told: LockState?
    /// The usages of the lock keys that are down.
    private var keysDown: Set<UInt16> = []

    mutating func take(_ locks: LockState) -> LockState {
        told = locks
        return locks
    }

    /// Returns the locks to set before a key goes down; `nil` if the viewer has sent none, or holds a lock key.
    mutating func press(_ usage: UInt16) -> LockState? {
        let due = keysDown.isEmpty ? told : nil
        if USBKeyboard.isLock(usage) { keysDown.insert(usage) }
        return due
    }

    mutating func lift(_ usage: UInt16) { keysDown.remove(usage) }

    /// Updates the state after all keys of the viewer were released.
    mutating func liftAll() { keysDown = [] }
}
