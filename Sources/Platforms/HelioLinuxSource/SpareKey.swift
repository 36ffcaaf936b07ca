import CXCB

/// A key that has no keysyms, or only multimedia ones, so that two characters can be bound to it.
struct SpareKey {
    var keycode: UInt8
    /// The key's keysyms before any binding, to restore them later.
    var original: [xcb_keysym_t]
    /// The bound keysyms, plain and shifted; 0 if none is bound.
    var bound: [xcb_keysym_t] = [0, 0]
    /// The value of `TextKeyboard.useCount` when each bound keysym was last used; 0 if never.
    var lastUse = [0, 0]

    /// Fails if the key has a keysym other than a multimedia one.
    init?(keycode: UInt8, keysyms: ArraySlice<xcb_keysym_t>) {
        guard keysyms.allSatisfy({ $0 == 0 || (0x1008_FF00...0x1008_FFFF).contains($0) }) else { return nil }
        self.keycode = keycode
        original = Array(keysyms)
    }

    var wasEmpty: Bool { original.allSatisfy { $0 == 0 } }
    /// The keysyms for the key's first two columns, plain and shifted. The shifted one repeats the plain one until a
    /// second character is bound, so that a held Shift has no effect.
    var columns: [xcb_keysym_t] { [bound[0], bound[1] == 0 ? bound[0] : bound[1]] }
}
