import CXCB

/// A key without keysyms, or with only multimedia ones, to which two characters can be bound.
struct SpareKey {
    var keycode: UInt8
    /// The key's earlier keysyms.
    var original: [xcb_keysym_t]
    /// The bound keysyms, plain and shifted; 0 if none yet.
    var bound: [xcb_keysym_t] = [0, 0]
    /// The time of the last use of either keysym, as a count of uses: a greater number is later, 0 is never.
    var lastUse = [0, 0]

    /// `nil` if the key's keysyms are in use.
    init?(keycode: UInt8, keysyms: ArraySlice<xcb_keysym_t>) {
        guard keysyms.allSatisfy({ $0 == 0 || (0x1008_FF00...0x1008_FFFF).contains($0) }) else { return nil }
        self.keycode = keycode
        original = Array(keysyms)
    }

    var wasEmpty: Bool { original.allSatisfy { $0 == 0 } }
    /// The key's first two columns: the shifted one repeats the plain one until it is needed, so that a held Shift does
    /// not matter.
    var columns: [xcb_keysym_t] { [bound[0], bound[1] == 0 ? bound[0] : bound[1]] }
}
