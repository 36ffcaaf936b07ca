/// An injector of the viewer's input into the machine: the seam that a platform fills.
///
/// Coordinates are whole pixels of the captured screen, already mapped. Called on the thread that received
/// the input: must not block.
package protocol InputInjecting: AnyObject {
    /// Takes coordinates as those of this monitor from now on.
    func follow(_ monitor: ScreenMonitor)
    func movePointer(toX x: Int, y: Int)
    func movePointer(byX dx: Int, y dy: Int)
    func button(_ button: PointerButton, isDown: Bool)
    /// Scrolls by detents times 120, as JSON row 117 and Windows count; positive y is up, positive x right.
    func scroll(dx: Int, dy: Int)
    /// Presses or releases a key by its place: USB HID usage (page 7).
    func key(usage: UInt16, isDown: Bool)
    /// Presses a key that makes this character, whatever the layout, and holds it until `key(usage:isDown:)` releases
    /// this usage. Where the key at that place makes the character, it is that one.
    func press(_ character: Unicode.Scalar, usage: UInt16)
    /// Types text, whatever the layout.
    func type(_ text: String)
    /// Makes the machine's locks those of the viewer.
    func setLocks(_ locks: LockState)
    /// Ends the repeating of what is down, which stays down: the viewer may have released it long ago.
    func stopRepeating()
    /// Sends what was injected on its way to the system.
    func flush()
}

extension InputInjecting {
    /// Types the character at once: for a system that holds no key for it.
    package func press(_ character: Unicode.Scalar, usage: UInt16) { type(String(character)) }
    /// Leaves the locks alone: for a system without any.
    package func setLocks(_ locks: LockState) {}
    /// Does nothing: for a system that repeats no injected key.
    package func stopRepeating() {}
}

/// A pointer's buttons, numbered as on the wire.
package enum PointerButton: UInt8, Sendable, Hashable, CaseIterable {
    case left = 0
    case middle = 1
    case right = 2
    case back = 3
    case forward = 4
}
