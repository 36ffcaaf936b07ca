/// Detects key releases from X events, as SDL may drop them.
///
/// SDL drops a release if the queue contains a press of the same key less than 2 ms later, even with other events in
/// between: this is an old way to detect auto-repeat. Humans don't type so fast, but programs and barcode scanners do,
/// and a window that was blocked reads all events at once. Without this type, letters would get lost, and Shift would
/// be released too late. As SDL has X repeat presses only, each X release is a real one. The HID usages of X keycodes
/// are learnt from the presses.
struct KeyReleases {
    /// The USB HID usages by X keycode, as learnt so far.
    private var usages: [Int: UInt16] = [:]
    /// The keycode of the last X press, whose usage SDL reports next; `nil` if none is pending.
    private var pressed: Int?

    /// Handles an X event.
    ///
    /// - Parameter code: the keycode of a pressed key; the negated keycode of a released key; 0 for other events.
    /// - Returns: the HID usage of the released key; `nil` if it is unknown, or no key was released.
    mutating func take(_ code: Int) -> UInt16? {
        pressed = code > 0 ? code : nil
        return usages[-code]
    }

    /// Stores the usage that SDL reports for the last pressed key.
    mutating func name(_ usage: UInt16) {
        if let pressed { usages[pressed] = usage }
        pressed = nil
    }
}
