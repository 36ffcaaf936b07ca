/// An injector of the viewer's input into the machine: a seam that each platform implements.
///
/// Coordinates are whole pixels of the captured monitor. All methods are called on the host's input thread, so a call
/// that blocks delays only input.
package protocol InputInjecting: AnyObject {
    /// Makes the coordinates of later calls refer to this monitor.
    func follow(_ monitor: ScreenMonitor)
    func movePointer(toX x: Int, y: Int)
    func movePointer(byX dx: Int, y dy: Int)
    func button(_ button: PointerButton, isDown: Bool)
    /// Scrolls by 1/120 of a wheel detent, the unit of requirement row 117 and of Windows. Positive y is up, positive x
    /// right.
    func scroll(dx: Int, dy: Int)
    /// Presses or releases a key by its position: USB HID usage (page 7).
    func key(usage: UInt16, isDown: Bool)
    /// Presses a key that produces this character regardless of the layout, and holds it until `key(usage:isDown:)`
    /// releases this usage. If the key at that position produces the character, that key is used.
    func press(_ character: Unicode.Scalar, usage: UInt16)
    /// Types text regardless of the layout.
    func type(_ text: String)
    /// Sets this machine's keyboard locks to the states of the viewer's.
    func setLocks(_ locks: LockState)
    /// Stops the autorepeat of the pressed keys, which stay pressed. Called if the viewer has been silent for a while,
    /// as its key releases may be delayed.
    func stopRepeating()
    /// Flushes injected input to the system.
    func flush()
}

extension InputInjecting {
    /// Types the character at once, for a system that can't hold down a key for a character.
    package func press(_ character: Unicode.Scalar, usage: UInt16) { type(String(character)) }
    /// Leaves the locks unchanged, for a system without keyboard locks.
    package func setLocks(_ locks: LockState) {}
    /// Does nothing, for a system that does not repeat injected keys.
    package func stopRepeating() {}
}

/// A pointer's buttons, numbered as in the native viewer's datagrams.
public enum PointerButton: UInt8, Sendable, Hashable, CaseIterable {
    case left = 0
    case middle = 1
    case right = 2
    case back = 3
    case forward = 4
}
