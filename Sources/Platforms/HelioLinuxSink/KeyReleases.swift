/// Which key is let go, as X tells it.
///
/// SDL keeps a release to itself where it finds a press of the same key behind it that is less than two milliseconds
/// younger, whatever lies between: so keys were told from their repetitions once. A person can't type so fast; a program
/// or a scanner does, and a window that was held up finds all of it at once: letters get lost, and Shift is let go too
/// late. X repeats presses alone, as SDL asks it to, so that each release of its is one. Codes of keys get their names
/// from the presses.
struct KeyReleases {
    /// USB HID usages by X's codes.
    private var usages: [Int: UInt16] = [:]
    /// Of the press whose name comes next.
    private var pressed: Int?

    /// - Parameter code: of a key that is pressed; negative: of one that is let go; 0: no key's.
    /// - Returns: the usage of the key that is let go.
    mutating func take(_ code: Int) -> UInt16? {
        pressed = code > 0 ? code : nil
        return usages[-code]
    }

    /// What SDL calls the key that is pressed.
    mutating func name(_ usage: UInt16) {
        if let pressed { usages[pressed] = usage }
        pressed = nil
    }
}
