/// Finds the releases of keys, from X's own events.
///
/// SDL drops a release if a press of the same key, less than two milliseconds younger, follows in the queue, whatever
/// lies between: this was once the way to tell presses from repeats. A person can't type so fast; a program or a
/// scanner does, and a window that was held up finds all events at once: without this type, letters get lost, and Shift
/// is released too late. At SDL's request X repeats presses only, so each of X's releases is a real one. The usages of
/// X's keycodes are learnt from the presses.
struct KeyReleases {
    /// The USB HID usages by X's keycodes.
    private var usages: [Int: UInt16] = [:]
    /// The keycode of the press whose usage SDL reports next.
    private var pressed: Int?

    /// - Parameter code: the keycode of a pressed key; negative for a released one; 0 for an event of no key.
    /// - Returns: the usage of the released key.
    mutating func take(_ code: Int) -> UInt16? {
        pressed = code > 0 ? code : nil
        return usages[-code]
    }

    /// Learns the usage that SDL reports for the pressed key.
    mutating func name(_ usage: UInt16) {
        if let pressed { usages[pressed] = usage }
        pressed = nil
    }
}
